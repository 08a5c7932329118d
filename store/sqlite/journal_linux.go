package sqlite

import (
	"os"

	"golang.org/x/sys/unix"
)

// networkTypes are the file systems whose files another host may have open, or
// whose shared memory cannot be relied on. FUSE stands for all that a program
// in user space may do, sshfs among them.
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

// statfs is replaced by a test.
var statfs = unix.Statfs

// networked reports whether dir is on a file system of networkTypes.
func networked(dir string) (bool, error) {
	var st unix.Statfs_t
	if err := statfs(dir, &st); err != nil {
		return false, &os.PathError{Op: "statfs", Path: dir, Err: err}
	}
	// The numbers have 32 bits, and some architectures sign them.
	_, ok := networkTypes[int64(uint32(st.Type))]
	return ok, nil
}
