package program

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/perftrack/perftrack/runner/identity"
)

// testdata is a package's testdata folder, which may be replaced only in a throw-away checkout.
type testdata struct {
	at    string
	kept  string // where the original folder is kept
	moved bool
}

// replace replaces the folder with a copy of the folder from if they differ and throwaway is set.
// It reports whether the two are equal now.
func (d *testdata) replace(from string, throwaway bool) (same bool, err error) {
	own, err1 := identity.TreeHash(d.at)
	other, err2 := identity.TreeHash(from)
	if err1 == nil && err2 == nil && own == other {
		return true, nil
	}
	if !throwaway || err2 != nil {
		return false, nil
	}
	if err := os.Rename(d.at, d.kept); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, fmt.Errorf("replace testdata: %w", err)
	}
	d.moved = true
	if err := copyTree(from, d.at); err != nil {
		return false, errors.Join(fmt.Errorf("replace testdata: %w", err), d.restore())
	}
	return true, nil
}

// restore undoes replace.
func (d *testdata) restore() error {
	if !d.moved {
		return nil
	}
	if err := os.RemoveAll(d.at); err != nil {
		return fmt.Errorf("restore testdata: %w", err)
	}
	if err := os.Rename(d.kept, d.at); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("restore testdata: %w", err)
	}
	return nil
}

// copyTree copies the files and links below a folder, if it exists.
func copyTree(from, to string) error {
	return filepath.WalkDir(from, func(path string, entry fs.DirEntry, err error) error {
		if path == from && errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		below, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		at := filepath.Join(to, below)
		switch {
		case entry.IsDir():
			return os.MkdirAll(at, 0o755)
		case entry.Type()&fs.ModeSymlink != 0:
			text, err := os.Readlink(path)
			if err != nil {
				return err
			}
			return os.Symlink(text, at)
		}
		return copyFile(path, at)
	})
}

func copyFile(from, to string) (err error) {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }()
	info, err := in.Stat()
	if err != nil {
		return err
	}
	out, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, info.Mode().Perm()|0o200)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}
