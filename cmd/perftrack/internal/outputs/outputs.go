// Package outputs writes the result of a command to the files given by --output FORMAT=FILE.
//
// Before a measurement, it checks that the files are writable and deletes old ones, which could be
// mistaken for the new result. It replaces each file as a whole, so no reader sees an incomplete
// file.
package outputs

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A File is the output file for one format.
type File struct {
	Format string
	Path   string // as given on the command line
	real   string // with symbolic links resolved
	flag   string // the flag and its value, as given
}

// Named returns the output file for a flag other than --output, such as the flag for a picture. It
// returns an error if the file is the same as one of others or inputs.
func Named(flag, format, path string, others []File, inputs []string) (File, error) {
	f := File{Format: format, Path: path, flag: flag + " " + path}
	var err error
	if f.real, err = resolve(path); err == nil {
		err = f.clashes(others, inputs)
	}
	if err != nil {
		return File{}, fmt.Errorf("%s: %w", f.flag, err)
	}
	return f, nil
}

// Formats lists all formats in the order shown in the help. A command supports only some of them.
var Formats = []string{"text", "markdown", "json", "csv", "junit", "codequality", "sarif"}

// Parse parses the values of --output. known lists the formats supported by the command, and inputs
// lists its input files.
func Parse(values, known, inputs []string) ([]File, error) {
	var files []File
	var errs []error
	for _, value := range values {
		f, err := parse(value, known)
		if err == nil {
			err = f.clashes(files, inputs)
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("--output %s: %w", value, err))
			continue
		}
		files = append(files, f)
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	return files, nil
}

func parse(value string, known []string) (File, error) {
	format, path, ok := strings.Cut(value, "=")
	switch {
	case !ok:
		return File{}, errors.New("write FORMAT=FILE, such as json=result.json")
	case !slices.Contains(Formats, format):
		return File{}, fmt.Errorf("unknown format: use %s", list(known))
	case !slices.Contains(known, format):
		return File{}, fmt.Errorf("the command does not support this format: use %s", list(known))
	case path == "":
		return File{}, errors.New("the file is missing: is a variable unset?")
	case path == "-":
		return File{}, errors.New("name a file: --format sets the printed format")
	}
	real, err := resolve(path)
	return File{format, path, real, "--output " + value}, err
}

func list(words []string) string {
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

// resolve returns the path with symbolic links resolved, because Write replaces the target of a
// link and not the link itself.
func resolve(path string) (string, error) {
	if os.IsPathSeparator(path[len(path)-1]) {
		return "", errors.New("it is a folder: name a file in it")
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	if _, err := os.Lstat(abs); errors.Is(err, fs.ErrNotExist) {
		folder, err := filepath.EvalSymlinks(filepath.Dir(abs))
		if errors.Is(err, fs.ErrNotExist) {
			return "", fmt.Errorf("the folder %s does not exist: create it first", filepath.Dir(path))
		}
		return filepath.Join(folder, filepath.Base(abs)), err
	}
	real, err := filepath.EvalSymlinks(abs)
	if err != nil {
		return "", err
	}
	info, err := os.Stat(real)
	switch {
	case err != nil:
		return "", err
	case info.IsDir():
		return "", errors.New("it is a folder: name a file in it")
	case !info.Mode().IsRegular():
		return "", errors.New("it is not a regular file and cannot be replaced")
	}
	return real, nil
}

// clashes returns an error if f is the same file as another output or an input.
func (f File) clashes(files []File, inputs []string) error {
	for _, other := range files {
		if f.real == other.real || same(f.real, other.real) {
			return fmt.Errorf("the %s output goes to the same file", other.Format)
		}
	}
	for _, input := range inputs {
		if same(f.real, input) {
			return errors.New("the command also reads this file")
		}
	}
	return nil
}

func same(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}

// Prepare checks that all files can be written, and then deletes old ones.
func Prepare(files []File) error {
	for _, f := range files {
		part, err := f.create()
		if err == nil {
			err = errors.Join(part.Close(), os.Remove(part.Name()))
		}
		if err != nil {
			return fmt.Errorf("%s: %w", f.flag, err)
		}
	}
	for _, f := range files {
		if err := os.Remove(f.real); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("%s: %w", f.flag, err)
		}
	}
	return nil
}

// create creates a temporary file next to f.
func (f File) create() (*os.File, error) {
	folder, name := filepath.Split(f.real)
	path := filepath.Join(folder, fmt.Sprintf(".%s.perftrack-%d", name, os.Getpid()))
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) { // a killed process may have left it
		return nil, err
	}
	return os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
}

// Write replaces the content of f with text. If there is an error, it leaves the file unchanged.
func (f File) Write(text []byte) error {
	part, err := f.create()
	if err == nil {
		_, err = part.Write(text)
		err = errors.Join(err, part.Sync(), part.Close())
		if err == nil {
			err = os.Rename(part.Name(), f.real)
		}
		if err != nil {
			err = errors.Join(err, os.Remove(part.Name()))
		}
	}
	if err != nil {
		return fmt.Errorf("write %s to %s: %w", f.Format, f.Path, err)
	}
	return nil
}
