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

// fileHashes are files below a folder, by their paths with slashes.
type fileHashes map[string][sha256.Size]byte

// A tree is what a benchmark may read of a folder and what is below it.
type tree struct {
	data    fileHashes
	sources fileHashes        // of what is compiled, which is seldom read
	hidden  []string          // folders whose names begin with a dot, which are not looked into
	links   map[string]string // symbolic links, and where in the folder they lead to
}

// What is more is not worth reading to save a few rounds.
const (
	maxFiles = 50_000
	maxBytes = 512 << 20
)

var errTooMuch = errors.New("there is more than 50,000 files or 512 MiB")

// repositoryOf returns the folder around dir that has a .git, or dir itself.
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

// link notes where a symbolic link leads to, if that is below dir.
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

// maxPaths is by how many paths a file is looked for.
const maxPaths = 100

// paths returns by which paths one may get to a file, through links, too; false if those are too many.
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
// folder. Those in the folder may, those beside a folder above it, and those in a testdata above it; of any other one a
// part of its path has to be in a string of the program. So has the name, or its extension, of what is written for
// people and for tools. Settings of the module may change what the linker does.
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

// beyond returns a file's path from the last folder that it has in common with another one, from
// where on who opens it has to say the names.
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
