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

// A File is a file to write.
type File struct {
	Name string
	Text []byte
}

// manifest is the name of the file that lists the files Write has written to a folder. Write
// replaces only files listed there.
const manifest = "perftrack-reports.txt"

// Write writes the files to a folder and creates it if necessary. If one of the files exists but
// was not written by Write, it changes nothing and returns an error.
func Write(dir string, files []File) (err error) {
	defer func() {
		if err != nil {
			err = fault.IO(fmt.Errorf("write reports to %s: %w", dir, err))
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
			return fmt.Errorf("%s already exists and was not written by perftrack: move it, or name another folder", f.Name)
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

// replace writes a file atomically, unless its content is unchanged.
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
