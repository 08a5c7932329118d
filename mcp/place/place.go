// Package place confines an agent to the served repository. Every argument chosen by the agent is
// checked here before perftrack runs with it.
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

// A Place is the served directory and its repository.
type Place struct {
	Dir  string // absolute, without symbolic links
	Root string // git repository around Dir, or else the Go module around it, or ""
}

// Locate returns the Place for a directory.
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

// rootOf returns the nearest git repository around dir, or else the nearest Go module, or "".
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

// longest is the maximum length of an argument in bytes.
const longest = 500

// Word checks a name, a regular expression, a unit or a time. It rejects anything that looks like a
// flag, is too long or contains control characters.
func Word(name, value string) error {
	switch {
	case strings.HasPrefix(value, "-"):
		return fmt.Errorf("%s %q begins with -: tools do not accept flags", name, value)
	case len(value) > longest:
		return fmt.Errorf("%s has %d bytes, more than the limit of %d", name, len(value), longest)
	case !utf8.ValidString(value) || strings.ContainsFunc(value, unicode.IsControl):
		return fmt.Errorf("%s %q contains invalid characters", name, value)
	}
	return nil
}

// Revision checks a commit, a run, a trial, a range A..B or, as in perftrack compare, a file of
// results. A file must be in the repository even after symbolic links are followed.
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
		return fmt.Errorf("%s %q is not a regular file", name, value)
	}
	return nil
}

// Packages checks a target or a pattern of Go packages, such as ./parser/... .
func (p Place) Packages(name, value string) error {
	if err := Word(name, value); err != nil {
		return err
	}
	path, _, _ := strings.Cut(value, "...")
	return p.leads(name, value, path)
}

// leads returns an error if a path leads out of the repository.
func (p Place) leads(name, value, path string) error {
	path = filepath.FromSlash(path)
	outside := fmt.Errorf("%s %q is outside the served repository", name, value)
	if filepath.IsAbs(path) || filepath.VolumeName(path) != "" {
		return outside
	}
	if slices.Contains(strings.FieldsFunc(value, func(r rune) bool { return r == '/' || r == '\\' }), "..") {
		return outside
	}
	real, err := filepath.EvalSymlinks(existing(filepath.Join(p.Dir, path)))
	if errors.Is(err, fs.ErrNotExist) { // a link to a nonexistent file
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

// existing returns the longest existing prefix of a path. The rest may be part of a commit's name,
// or a directory in another commit.
func existing(path string) string {
	for {
		if _, err := os.Lstat(path); err == nil || path == filepath.Dir(path) {
			return path
		}
		path = filepath.Dir(path)
	}
}

// Within reports whether an absolute path is dir itself or is inside it. Neither path may contain
// symbolic links. If dir is "", Within returns false.
func Within(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}
