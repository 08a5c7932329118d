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

// fileHashes holds the hashes of the files below a folder, by slash-separated path.
type fileHashes map[string][sha256.Size]byte

// A tree holds the files below a folder that a benchmark may read.
type tree struct {
	data    fileHashes
	sources fileHashes        // compiled source files, which benchmarks seldom read
	hidden  []string          // folders whose names begin with a dot; they are not searched
	links   map[string]string // symbolic links and their targets, if these are inside the folder
}

// Larger trees are not read, because it would take more time than leaving out benchmarks saves.
const (
	maxFiles = 50_000
	maxBytes = 512 << 20
)

var errTooMuch = errors.New("more than 50,000 files or 512 MiB")

// repositoryOf returns dir or the closest folder above it that contains .git, or else dir itself.
func repositoryOf(dir string) string {
	for d := dir; ; d = filepath.Dir(d) {
		if _, err := os.Lstat(filepath.Join(d, ".git")); err == nil {
			return d
		}
		if d == filepath.Dir(d) {
			return dir
		}
	}
}

// readTree hashes the files below a folder.
func readTree(dir string) (*tree, error) {
	t, left := &tree{data: fileHashes{}, sources: fileHashes{}, links: map[string]string{}}, int64(maxBytes)
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
		case below == ".":
			return nil
		case d.Name() == ".git" && d.IsDir() || d.Name() == "node_modules" && d.IsDir():
			return fs.SkipDir
		case d.Name() == ".git":
			return nil
		case d.IsDir() && strings.HasPrefix(d.Name(), "."):
			t.hidden = append(t.hidden, below)
			return fs.SkipDir
		case d.IsDir():
			return nil
		case len(t.data)+len(t.sources) == maxFiles:
			return errTooMuch
		case d.Type()&fs.ModeSymlink != 0:
			t.link(dir, name, below)
		}
		to := t.data
		if !readable(below) {
			to = t.sources
		}
		to[below], err = hashFile(name, d, &left)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("compare the files in %s: %w", dir, err)
	}
	return t, nil
}

// link records the target of a symbolic link if the target is below dir.
func (t *tree) link(dir, name, below string) {
	to, err := filepath.EvalSymlinks(name)
	if err != nil {
		return
	}
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return
	}
	if to, err = filepath.Rel(dir, to); err == nil && filepath.IsLocal(to) {
		t.links[below] = filepath.ToSlash(to)
	}
}

// maxPaths is the limit on the number of paths to a file.
const maxPaths = 100

// paths returns all paths that lead to a file, including those through links. ok is false if there
// are too many.
func paths(name string, links ...map[string]string) (all []string, ok bool) {
	all = []string{name}
	for i := 0; i < len(all) && len(all) < maxPaths; i++ {
		for _, of := range links {
			for link, to := range of {
				rest, below := strings.CutPrefix(all[i]+"/", to+"/")
				if to == "." {
					rest, below = all[i], true
				}
				if p := path.Join(link, rest); below && !slices.Contains(all, p) {
					all = append(all, p)
				}
			}
		}
	}
	return all, len(all) < maxPaths
}

// readable reports whether a benchmark may read a file as data. It returns false for compiled
// source files.
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

// hashFile hashes the contents of a file, or the target path of a link. The target of a link is
// hashed separately.
func hashFile(name string, d fs.DirEntry, left *int64) (sum [sha256.Size]byte, err error) {
	if !d.Type().IsRegular() {
		text, _ := os.Readlink(name) // for a socket, for example, only its existence matters
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

// differences returns the names of the files that differ, sorted.
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

// concerns reports whether the benchmarks of the package in folder may read the changed file name.
// They may read files in that folder, files directly in a folder above it, and files in a testdata
// folder of a folder above it. They may read any other file only if a string in the program
// contains part of its path. They may read documentation and settings for tools only if a string
// contains the name or extension. Module files are included, because their settings may affect the
// linker.
func concerns(name, folder string, texts []byte) bool {
	base := path.Base(name)
	if base == "go.mod" || base == "go.work" {
		return folder == "." || path.Dir(name) == "." || strings.HasPrefix(folder+"/", path.Dir(name)+"/")
	}
	if forPeople(name) {
		if ext := path.Ext(base); ext != "" && ext != base && bytes.Contains(texts, []byte(ext)) {
			return true
		}
	} else {
		if folder == "." || strings.HasPrefix(name, folder+"/") || path.Dir(name) == "." || strings.HasPrefix(folder+"/", path.Dir(name)+"/") {
			return true
		}
		if above, _, ok := strings.Cut("/"+name, "/testdata/"); ok && strings.HasPrefix("/"+folder+"/", above+"/") {
			return true
		}
		for _, part := range strings.Split(path.Dir(beyond(name, folder)), "/") {
			if part != "." && part != "testdata" && bytes.Contains(texts, []byte(part)) {
				return true
			}
		}
	}
	return bytes.Contains(texts, []byte(base))
}

// beyond returns the rest of a file's path after the leading folders shared with the path folder. A
// program must contain this rest to open the file.
func beyond(name, folder string) string {
	for {
		first, rest, ok := strings.Cut(name, "/")
		of, below, _ := strings.Cut(folder, "/")
		if !ok || first != of {
			return name
		}
		name, folder = rest, below
	}
}

// forPeople reports whether a file, judging by its name, contains documentation or settings for
// tools rather than data.
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
