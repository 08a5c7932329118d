// Package sources locates the declarations of benchmarks, for reports with positions in the source
// code.
package sources

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/modules"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/runner/gobench"
	"github.com/perftrack/perftrack/runner/record"
)

// A Tree holds the current files of a repository.
type Tree struct {
	fsys    fs.FS
	modules []module // longest path first
	whole   reports.Place
}

// A module holds the path of a Go module and its folder.
type module struct{ path, dir string }

// Open returns the tree of the files in fsys, after finding its Go modules. It ignores unreadable
// files.
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

// Place returns the position of a benchmark's function, or of the function around a sub-benchmark.
// If the function is not found, Place returns the first Go file in the package or else the go.mod
// of the module. If the module is not in the tree, it returns perftrack.toml or a go.mod, or the
// zero Place if there is neither.
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

// inPackage looks for the function of the named benchmark in a folder's test files. If the function
// is not there, it returns the folder's first Go file, or the zero Place.
func (t *Tree) inPackage(dir, name string) (at reports.Place) {
	function, _, _ := strings.Cut(name, "/")
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
		for _, d := range gobench.Declarations(text) {
			if d.Name == function {
				return reports.Place{Path: file, Line: d.Line}
			}
		}
	}
	return at
}
