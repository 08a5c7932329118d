// Package outputs puts the result of a command into files: what --output FORMAT=FILE names.
//
// A file is refused before anything is measured if it could not be written afterwards. Then
// what an earlier command left there is taken away, so that nobody takes it for the result
// of this one, however this one ends; and the whole result appears under the name at once.
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

// A File is where the result goes in one format.
type File struct {
	Format string
	Path   string // as the user named it
	real   string // without symbolic links
	flag   string // as the user gave it
}

// Named returns the file that another flag than --output names, for something that is no report:
// a picture, say. It may not be one of others, nor of inputs.
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

// Formats are all that there are, in the order in which help names them. Known of them are
// those that a command can write; the others make no sense of its result.
var Formats = []string{"text", "markdown", "json", "csv", "junit", "codequality", "sarif"}

// Parse reads the values of --output. Inputs are files that the command reads.
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
		return File{}, fmt.Errorf("no such format: %s", list(known))
	case !slices.Contains(known, format):
		return File{}, fmt.Errorf("this command has no result for that format: it has %s", list(known))
	case path == "":
		return File{}, errors.New("the file is missing: is a variable not set?")
	case path == "-":
		return File{}, errors.New("what is printed has the format of --format: name a file")
	}
	real, err := resolve(path)
	return File{format, path, real, "--output " + value}, err
}

func list(words []string) string {
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

// resolve returns the path without symbolic links: what they lead to is replaced, not they.
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
			return "", fmt.Errorf("there is no folder %s: make it first", filepath.Dir(path))
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
		return "", errors.New("it is no plain file, so it cannot be replaced")
	}
	return real, nil
}

// clashes refuses a file that another output or an input is.
func (f File) clashes(files []File, inputs []string) error {
	for _, other := range files {
		if f.real == other.real || same(f.real, other.real) {
			return fmt.Errorf("%s goes to the same file", other.Format)
		}
	}
	for _, input := range inputs {
		if same(f.real, input) {
			return errors.New("the command reads that file")
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

// Prepare makes sure that the files can be written, and then takes away what is there.
func Prepare(files []File) error {
	for _, f := range files {
		part, err := f.create()
		if err == nil {
			err = errors.Join(part.Close(), os.Remove(part.Name()))
		}
		if err != nil {
			return fmt.Errorf("%s cannot be written: %w", f.flag, err)
		}
	}
	for _, f := range files {
		if err := os.Remove(f.real); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("%s cannot be written: %w", f.flag, err)
		}
	}
	return nil
}

// create opens a new file beside the one that it will become.
func (f File) create() (*os.File, error) {
	folder, name := filepath.Split(f.real)
	path := filepath.Join(folder, fmt.Sprintf(".%s.perftrack-%d", name, os.Getpid()))
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) { // of a process that was killed
		return nil, err
	}
	return os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
}

// Write puts the text into the file: all of it, or what was there stays.
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
