package flock

import (
	"os"

	"golang.org/x/sys/unix"
)

// Far reports whether dir is on a file system of another host.
func Far(dir string) (bool, error) {
	var st unix.Statfs_t
	if err := unix.Statfs(dir, &st); err != nil {
		return false, &os.PathError{Op: "statfs", Path: dir, Err: err}
	}
	return st.Flags&unix.MNT_LOCAL == 0, nil
}
