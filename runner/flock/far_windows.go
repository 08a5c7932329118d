package flock

import (
	"os"
	"path/filepath"

	"golang.org/x/sys/windows"
)

// Far reports whether dir is on a drive of another host.
func Far(dir string) (bool, error) {
	root, err := windows.UTF16PtrFromString(filepath.VolumeName(dir) + `\`)
	if err != nil {
		return false, &os.PathError{Op: "drive type", Path: dir, Err: err}
	}
	return windows.GetDriveType(root) == windows.DRIVE_REMOTE, nil
}
