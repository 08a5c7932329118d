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

// limit is how many bytes of profiles are kept beside a database. A profile has some ten
// kilobytes.
const limit = 256 << 20

const extension = ".pb.gz"

// files are the profiles in a folder, those written last first.
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

// prune removes the files written longest ago until the others have at most limit bytes; the
// newest stays.
func prune(dir string, limit int64) error {
	files, err := files(dir)
	if err != nil {
		return fmt.Errorf("bound the profiles: %w", err)
	}
	total := int64(0)
	for i, f := range files {
		if total += f.Size(); total <= limit || i == 0 {
			continue
		}
		if err := os.Remove(filepath.Join(dir, f.Name())); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("bound the profiles: %w", err)
		}
	}
	return nil
}
