package flock

import (
	"os"

	"golang.org/x/sys/unix"
)

// networkTypes maps the types of network file systems to their names. It includes FUSE, because a
// file system in user space may be remote, such as sshfs.
var networkTypes = map[int64]string{
	unix.NFS_SUPER_MAGIC:  "NFS",
	unix.CIFS_SUPER_MAGIC: "CIFS",
	unix.SMB_SUPER_MAGIC:  "SMB",
	unix.SMB2_SUPER_MAGIC: "SMB2",
	unix.V9FS_MAGIC:       "9p",
	unix.FUSE_SUPER_MAGIC: "FUSE",
	unix.AFS_SUPER_MAGIC:  "AFS",
	unix.CODA_SUPER_MAGIC: "Coda",
	unix.CEPH_SUPER_MAGIC: "Ceph",
}

// statfs is a variable so that a test can replace it.
var statfs = unix.Statfs

// Far reports whether dir is on a file system on which another host may have files open, or on which
// shared memory is unreliable.
func Far(dir string) (bool, error) {
	var st unix.Statfs_t
	if err := statfs(dir, &st); err != nil {
		return false, &os.PathError{Op: "statfs", Path: dir, Err: err}
	}
	// File system types have 32 bits and are signed on some architectures.
	_, ok := networkTypes[int64(uint32(st.Type))]
	return ok, nil
}
