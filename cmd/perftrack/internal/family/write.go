package family

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
)

// A File is one of those that are written.
type File struct {
	Name string
	Text []byte
}

// manifest lists the files that Write wrote into a folder: they, and no others, may be replaced.
const manifest = "perftrack-reports.txt"

// Write writes the files into a folder, which it makes if there is none. A file that is there and that
// it did not write is left alone, and so are then all of them.
func Write(dir string, files []File) (err error) {
	defer func() {
		if err != nil {
			err = fault.IO(fmt.Errorf("write the reports into %s: %w", dir, err))
		}
	}()
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	text, err := os.ReadFile(filepath.Join(dir, manifest))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	known := strings.Fields(string(text))
	for _, f := range files {
		_, err := os.Lstat(filepath.Join(dir, f.Name))
		switch {
		case err == nil && !slices.Contains(known, f.Name):
			return fmt.Errorf("%s is there and is not one of perftrack's: move it, or name another folder", f.Name)
		case err != nil && !errors.Is(err, fs.ErrNotExist):
			return err
		}
		if !slices.Contains(known, f.Name) {
			known = append(known, f.Name)
		}
	}
	slices.Sort(known)
	if err := replace(dir, File{manifest, []byte(strings.Join(known, "\n") + "\n")}); err != nil {
		return err
	}
	for _, f := range files {
		if err := replace(dir, f); err != nil {
			return err
		}
	}
	return nil
}

// replace puts a file in its place as a whole.
func replace(dir string, f File) (err error) {
	path := filepath.Join(dir, f.Name)
	if old, err := os.ReadFile(path); err == nil && bytes.Equal(old, f.Text) {
		return nil
	}
	part, err := os.CreateTemp(dir, ".perftrack-partial-*")
	if err != nil {
		return err
	}
	_, err = part.Write(f.Text)
	err = errors.Join(err, part.Chmod(0o644), part.Close())
	if err == nil {
		err = os.Rename(part.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(part.Name()))
	}
	return nil
}
