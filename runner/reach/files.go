package reach

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// fileHashes are the files below a folder that a benchmark may read, by their paths with slashes.
type fileHashes map[string][sha256.Size]byte

// What is more is not worth reading to save a few rounds.
const (
	maxFiles = 20_000
	maxBytes = 512 << 20
)

var errTooMuch = errors.New("there is more than 20,000 files or 512 MiB")

// hashFiles hashes the files below a folder but for compiled source and those of tools, whose
// folders' names begin with a dot.
func hashFiles(dir string) (fileHashes, error) {
	files, left := fileHashes{}, int64(maxBytes)
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		below, err := filepath.Rel(dir, name)
		if err != nil {
			return err
		}
		below = filepath.ToSlash(below)
		switch {
		case d.IsDir() && below != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "node_modules"):
			return fs.SkipDir
		case d.IsDir() || !readable(below):
			return nil
		case len(files) == maxFiles:
			return errTooMuch
		}
		files[below], err = hashFile(name, d, &left)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("compare the files in %s: %w", dir, err)
	}
	return files, nil
}

// readable reports whether a file may be read as data: source is where it is not compiled.
func readable(name string) bool {
	switch path.Ext(name) {
	case ".go", ".s", ".S", ".c", ".cc", ".cpp", ".h", ".hh", ".hpp", ".syso":
		return inTestdata(name)
	}
	return true
}

func inTestdata(name string) bool {
	return slices.ContainsFunc(strings.Split(path.Dir(name), "/"), func(part string) bool {
		return part == "testdata" || strings.HasPrefix(part, "_")
	})
}

// hashFile hashes a file, a link by its text: what it leads to is counted where that is.
func hashFile(name string, d fs.DirEntry, left *int64) (sum [sha256.Size]byte, err error) {
	if !d.Type().IsRegular() {
		text, _ := os.Readlink(name) // of a socket and the like only that it is there counts
		return sha256.Sum256([]byte(text)), nil
	}
	f, err := os.Open(name)
	if err != nil {
		return sum, err
	}
	defer func() { _ = f.Close() }()
	h := sha256.New()
	n, err := io.Copy(h, io.LimitReader(f, *left+1))
	if *left -= n; err == nil && *left < 0 {
		err = errTooMuch
	}
	h.Sum(sum[:0])
	return sum, err
}

// differences returns the files that are not the same.
func differences(a, b fileHashes) (names []string) {
	for name, sum := range a {
		if other, ok := b[name]; !ok || other != sum {
			names = append(names, name)
		}
	}
	for name := range b {
		if _, ok := a[name]; !ok {
			names = append(names, name)
		}
	}
	return slices.Compact(slices.Sorted(slices.Values(names)))
}

// concerns reports whether a changed file may be read by the benchmarks of the package in a
// folder. Those in the folder may, and those in a testdata above it; of any other one a
// part of its path has to be in a string of the program. So it has to be of what is written for
// people and for tools. Settings of the module may change what the linker does.
func concerns(name, folder string, texts []byte) bool {
	base := path.Base(name)
	if base == "go.mod" || base == "go.work" {
		return folder == "." || path.Dir(name) == "." || strings.HasPrefix(folder+"/", path.Dir(name)+"/")
	}
	if !forPeople(name) {
		if folder == "." || strings.HasPrefix(name, folder+"/") {
			return true
		}
		if above, _, ok := strings.Cut("/"+name, "/testdata/"); ok && strings.HasPrefix("/"+folder+"/", above+"/") {
			return true
		}
		for _, part := range strings.Split(path.Dir(name), "/") {
			if part != "." && part != "testdata" && bytes.Contains(texts, []byte(part)) {
				return true
			}
		}
	}
	return bytes.Contains(texts, []byte(base))
}

// forPeople reports whether a file is no data by its name: documentation and what tools are told.
func forPeople(name string) bool {
	if inTestdata(name) {
		return false
	}
	base := path.Base(name)
	switch strings.ToLower(path.Ext(base)) {
	case ".md", ".markdown", ".rst", ".adoc":
		return true
	}
	if base == "go.sum" || base == "go.work.sum" || base == "perftrack.toml" || strings.HasPrefix(base, ".") {
		return true
	}
	return slices.Contains([]string{"LICENSE", "LICENCE", "COPYING", "NOTICE", "AUTHORS", "CONTRIBUTORS", "PATENTS", "CODEOWNERS", "Makefile", "Dockerfile"},
		strings.TrimSuffix(base, path.Ext(base)))
}
