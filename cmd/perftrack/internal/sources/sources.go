// Package sources finds where benchmarks are declared, for reports that point into the
// source.
package sources

import (
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/modules"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/runner/record"
)

// A Tree is the files of a repository as they are now.
type Tree struct {
	fsys    fs.FS
	modules []module // the longest path first
	whole   reports.Place
}

// A module is a Go module: its path and its folder.
type module struct{ path, dir string }

// Open looks for the Go modules of a tree. What cannot be read is not there.
func Open(fsys fs.FS) *Tree {
	t := &Tree{fsys: fsys}
	all, _ := modules.Scan(fsys)
	for _, m := range all.Modules {
		text, err := fs.ReadFile(fsys, path.Join(m.Dir, "go.mod"))
		if name := modules.ParsePath(text); err == nil && name != "" {
			t.modules = append(t.modules, module{name, m.Dir})
		}
	}
	slices.SortStableFunc(t.modules, func(a, b module) int { return len(b.path) - len(a.path) })
	for _, name := range []string{"perftrack.toml", "go.mod"} {
		if _, err := fs.Stat(fsys, name); err == nil {
			t.whole = reports.Place{Path: name, Line: 1}
			break
		}
	}
	if t.whole.Path == "" && len(t.modules) > 0 {
		t.whole = reports.Place{Path: path.Join(t.modules[0].dir, "go.mod"), Line: 1}
	}
	return t
}

// Place returns where a benchmark is declared: its function, or else the first file of its
// package, the go.mod of its module, or perftrack.toml; the zero Place where there is none
// of these. A sub-benchmark is declared where its function is.
func (t *Tree) Place(_ string, id record.BenchmarkID) reports.Place {
	for _, m := range t.modules {
		rest, ok := strings.CutPrefix(id.Package+"/", m.path+"/")
		if !ok {
			continue
		}
		dir := path.Join(m.dir, rest)
		if at := t.inPackage(dir, id.Name); at.Path != "" {
			return at
		}
		return reports.Place{Path: path.Join(m.dir, "go.mod"), Line: 1}
	}
	return t.whole
}

// inPackage looks for the function in the test files of a folder.
func (t *Tree) inPackage(dir, name string) (at reports.Place) {
	function, _, _ := strings.Cut(name, "/")
	declared := regexp.MustCompile(`(?m)^func Benchmark` + regexp.QuoteMeta(function) + `\s*\(`)
	files, err := fs.ReadDir(t.fsys, dir)
	if err != nil {
		return at
	}
	for _, f := range files {
		if !strings.HasSuffix(f.Name(), ".go") || !f.Type().IsRegular() {
			continue
		}
		file := path.Join(dir, f.Name())
		if at.Path == "" {
			at = reports.Place{Path: file, Line: 1}
		}
		if !strings.HasSuffix(file, "_test.go") {
			continue
		}
		text, err := fs.ReadFile(t.fsys, file)
		if err != nil {
			continue
		}
		if found := declared.FindIndex(text); found != nil {
			return reports.Place{Path: file, Line: 1 + strings.Count(string(text[:found[0]]), "\n")}
		}
	}
	return at
}
