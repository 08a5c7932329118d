package proc

import (
	"io/fs"
	"os"
	"path/filepath"
)

// RemoveAll is like os.RemoveAll, but also removes the contents of read-only folders, such as those
// in Go's module cache.
func RemoveAll(dir string) error {
	err := os.RemoveAll(dir)
	if err == nil {
		return nil
	}
	_ = filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err == nil && e.IsDir() {
			_ = os.Chmod(path, 0o700) // if this fails, the last RemoveAll returns an error
		}
		return nil
	})
	return os.RemoveAll(dir)
}
