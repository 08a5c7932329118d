package proc

import (
	"io/fs"
	"os"
	"path/filepath"
)

// RemoveAll is os.RemoveAll that also deletes what is in read-only folders, which Go's
// module cache consists of.
func RemoveAll(dir string) error {
	err := os.RemoveAll(dir)
	if err == nil {
		return nil
	}
	_ = filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err == nil && e.IsDir() {
			_ = os.Chmod(path, 0o700) // what it cannot change, RemoveAll reports
		}
		return nil
	})
	return os.RemoveAll(dir)
}
