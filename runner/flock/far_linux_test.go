package flock

import (
	"testing"

	"golang.org/x/sys/unix"
)

func TestFar(t *testing.T) {
	for _, magic := range []int64{unix.NFS_SUPER_MAGIC, unix.CIFS_SUPER_MAGIC, unix.V9FS_MAGIC, unix.FUSE_SUPER_MAGIC} {
		statfs = func(_ string, st *unix.Statfs_t) error {
			st.Type = magic
			return nil
		}
		far, err := Far(t.TempDir())
		statfs = unix.Statfs
		if !far || err != nil {
			t.Errorf("file system %#x: %v, %v", magic, far, err)
		}
	}
	if far, err := Far(t.TempDir()); far || err != nil {
		t.Errorf("the temporary folder is on a network: %v, %v", far, err)
	}
}
