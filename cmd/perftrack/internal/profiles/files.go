package profiles

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// limit is the maximum total size in bytes of the profiles next to a database. A profile takes up
// about ten kilobytes.
const limit = 256 << 20

const extension = ".pb.gz"

// files returns the profile files in a folder, newest first.
func files(dir string) ([]fs.FileInfo, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var files []fs.FileInfo
	for _, entry := range entries {
		info, err := entry.Info()
		if err == nil && info.Mode().IsRegular() && strings.HasSuffix(info.Name(), extension) {
			files = append(files, info)
		}
	}
	slices.SortFunc(files, func(a, b fs.FileInfo) int {
		return cmp.Or(b.ModTime().Compare(a.ModTime()), cmp.Compare(a.Name(), b.Name()))
	})
	return files, nil
}

// prune removes the oldest files until the remaining ones take up at most limit bytes. It never
// removes the newest file.
func prune(dir string, limit int64) error {
	files, err := files(dir)
	if err != nil {
		return fmt.Errorf("limit the stored profiles: %w", err)
	}
	total := int64(0)
	for i, f := range files {
		if total += f.Size(); total <= limit || i == 0 {
			continue
		}
		if err := os.Remove(filepath.Join(dir, f.Name())); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("limit the stored profiles: %w", err)
		}
	}
	return nil
}
