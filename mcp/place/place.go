// Package place confines what an agent may name to the repository that is served: every word
// of it goes through one of the checks here before it becomes an argument of perftrack.
package place

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Place is the directory that is served, and the repository around it.
type Place struct {
	Dir  string // absolute, without symbolic links
	Root string // of the git repository around Dir, else of its Go module; "" without either
}

// Locate returns the place of a directory.
func Locate(dir string) (Place, error) {
	real, err := filepath.Abs(dir)
	if err == nil {
		real, err = filepath.EvalSymlinks(real)
	}
	if err != nil {
		return Place{}, fmt.Errorf("find the directory to serve: %w", err)
	}
	if info, err := os.Stat(real); err != nil || !info.IsDir() {
		return Place{}, fmt.Errorf("serve %s: it is not a directory", dir)
	}
	return Place{Dir: real, Root: rootOf(real)}, nil
}

// rootOf is the nearest directory upwards that is a git repository, or else a Go module.
func rootOf(dir string) string {
	for _, mark := range []string{".git", "go.mod"} {
		for at := dir; ; at = filepath.Dir(at) {
			if _, err := os.Lstat(filepath.Join(at, mark)); err == nil {
				return at
			}
			if at == filepath.Dir(at) {
				break
			}
		}
	}
	return ""
}

// longest is how many bytes a word may have: more is nothing that anybody named.
const longest = 500

// Word checks what is no path: the name of a benchmark, a regular expression, a unit, a time.
// What perftrack could take for a flag, and what a line of text has no use for, is refused.
func Word(name, value string) error {
	switch {
	case strings.HasPrefix(value, "-"):
		return fmt.Errorf("%s %q begins with -: flags are not for tools", name, value)
	case len(value) > longest:
		return fmt.Errorf("%s has %d bytes, more than %d", name, len(value), longest)
	case !utf8.ValidString(value) || strings.ContainsFunc(value, unicode.IsControl):
		return fmt.Errorf("%s %q has characters that no name has", name, value)
	}
	return nil
}

// Revision checks a commit, a run, a trial, a range A..B or, as perftrack compare takes them, a
// file of results. A file lies in the repository, and no symbolic link leads out of it.
func (p Place) Revision(name, value string) error {
	if err := Word(name, value); err != nil {
		return err
	}
	if from, to, ok := strings.Cut(value, ".."); ok {
		if err := errors.Join(Word(name, from), Word(name, strings.TrimPrefix(to, "."))); err != nil {
			return err
		}
	}
	if err := p.leads(name, value, value); err != nil {
		return err
	}
	info, err := os.Stat(filepath.Join(p.Dir, filepath.FromSlash(value)))
	if err == nil && !info.IsDir() && !info.Mode().IsRegular() {
		return fmt.Errorf("%s %q is no plain file", name, value)
	}
	return nil
}

// Packages checks a target, or a pattern of Go packages such as ./parser/... .
func (p Place) Packages(name, value string) error {
	if err := Word(name, value); err != nil {
		return err
	}
	path, _, _ := strings.Cut(value, "...")
	return p.leads(name, value, path)
}

// leads refuses a value whose path leads out of the repository, if it is one.
func (p Place) leads(name, value, path string) error {
	path = filepath.FromSlash(path)
	outside := fmt.Errorf("%s %q leads out of the repository that is served", name, value)
	if filepath.IsAbs(path) || filepath.VolumeName(path) != "" {
		return outside
	}
	if slices.Contains(strings.FieldsFunc(value, func(r rune) bool { return r == '/' || r == '\\' }), "..") {
		return outside
	}
	real, err := filepath.EvalSymlinks(existing(filepath.Join(p.Dir, path)))
	if errors.Is(err, fs.ErrNotExist) { // a link to what is not there yet
		return outside
	}
	if err != nil {
		return fmt.Errorf("%s %q: %w", name, value, err)
	}
	if real == p.Dir || Within(p.Root, real) {
		return nil
	}
	return outside
}

// existing is the longest beginning of a path that is there: what follows may be a commit's
// name, or a folder that only another commit has.
func existing(path string) string {
	for {
		if _, err := os.Lstat(path); err == nil || path == filepath.Dir(path) {
			return path
		}
		path = filepath.Dir(path)
	}
}

// Within reports whether an absolute path lies in a directory, or is it; both without symbolic
// links. In "" lies nothing.
func Within(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}
