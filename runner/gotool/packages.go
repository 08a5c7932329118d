// Package gotool queries the go command about a folder. It finds packages with benchmarks, the
// dependencies of a package, the modules of a workspace, and Go's build settings.
//
// Packages are selected by patterns, as in perftrack.toml. Nothing is built. Begin with
// packages.go.
package gotool

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/runner/build"
	"github.com/perftrack/perftrack/runner/gobench"
	"github.com/perftrack/perftrack/runner/proc"
)

// A Package is a package as the go command lists it.
type Package struct {
	Dir          string
	ImportPath   string
	TestGoFiles  []string
	XTestGoFiles []string

	EmbedFiles []string
	// Patterns for the files embedded in the tests. [FindTestEmbeds] finds the files.
	TestEmbedPatterns, XTestEmbedPatterns []string
	TestEmbedFiles, XTestEmbedFiles       []string

	Error *struct{ Err string }

	// TestDir is the folder of the package's test files, or "" for its own folder.
	TestDir string `json:"-"`
}

// Tests returns the folder and the names of the package's test files.
func (pkg *Package) Tests() (dir string, names []string) {
	return cmp.Or(pkg.TestDir, pkg.Dir), slices.Concat(pkg.TestGoFiles, pkg.XTestGoFiles)
}

// PackagePatterns returns patterns, or a pattern for the whole module if patterns is empty.
func PackagePatterns(patterns []string) []string {
	if len(patterns) == 0 {
		return []string{"./..."}
	}
	return patterns
}

// BenchmarkPackages lists the packages that match patterns and declare a benchmark. If only is not
// empty, they must also match one of its patterns. It searches the text of test files, because
// building the tests of every package would take minutes in a large module.
func BenchmarkPackages(ctx context.Context, dir string, patterns, only []string) ([]Package, error) {
	pkgs, err := listPackages(ctx, dir, PackagePatterns(patterns), false)
	if err != nil {
		return nil, err
	}
	if pkgs, err = selectPackages(ctx, dir, pkgs, only); err != nil {
		return nil, err
	}
	var found []Package
	for _, pkg := range pkgs {
		if has, err := pkg.hasBenchmark(); err != nil {
			return nil, err
		} else if has {
			found = append(found, pkg)
		}
	}
	return found, nil
}

// listPackages lists the packages that match patterns. It ignores errors in a package, which its
// build will report. A pattern that matches nothing is an error unless missing is set.
func listPackages(ctx context.Context, dir string, patterns []string, missing bool) (found []Package, err error) {
	argv := append([]string{"go", "list", "-e", "-json=Dir,ImportPath,TestGoFiles,XTestGoFiles,EmbedFiles,TestEmbedPatterns,XTestEmbedPatterns,Error", "--"}, patterns...)
	all, err := List[Package](ctx, "the list of packages "+strings.Join(patterns, " "), dir, argv...)
	for _, pkg := range all {
		switch {
		case pkg.Error == nil || pkg.Dir != "":
			found = append(found, pkg)
		case !missing:
			return nil, &build.Error{What: pkg.ImportPath, Err: errors.New(pkg.Error.Err)}
		}
	}
	return found, err
}

// List runs the command argv and decodes the JSON values in its output. title describes them in
// errors.
func List[T any](ctx context.Context, title, dir string, argv ...string) (list []T, err error) {
	out, err := build.Step(ctx, title, proc.Command{Argv: argv, Dir: dir})
	if err != nil {
		return nil, err
	}
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var v T
		if err := dec.Decode(&v); errors.Is(err, io.EOF) {
			return list, nil
		} else if err != nil {
			return nil, fmt.Errorf("read %s: %w", title, err)
		}
		list = append(list, v)
	}
}

// FindTestEmbeds fills in the files embedded in the packages' tests. The go command lists them only
// if it loads packages together with their tests; this takes longer.
func FindTestEmbeds(ctx context.Context, dir string, pkgs []Package) error {
	argv := []string{"go", "list", "-e", "-test", "-json=ImportPath,TestEmbedFiles,XTestEmbedFiles", "--"}
	flags := len(argv)
	for _, pkg := range pkgs {
		if len(pkg.TestEmbedPatterns)+len(pkg.XTestEmbedPatterns) > 0 {
			argv = append(argv, pkg.ImportPath)
		}
	}
	if len(argv) == flags {
		return nil
	}
	all, err := List[Package](ctx, "the list of embedded files", dir, argv...)
	for _, found := range all {
		if i := slices.IndexFunc(pkgs, func(p Package) bool { return p.ImportPath == found.ImportPath }); i >= 0 {
			pkgs[i].TestEmbedFiles, pkgs[i].XTestEmbedFiles = found.TestEmbedFiles, found.XTestEmbedFiles
		}
	}
	return err
}

func (pkg *Package) hasBenchmark() (bool, error) {
	dir, names := pkg.Tests()
	for _, name := range names {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return false, fmt.Errorf("look for benchmarks: %w", err)
		}
		if len(gobench.Declarations(text)) > 0 {
			return true, nil
		}
	}
	return false, nil
}

// HasBenchmarks reports whether any package in dir declares a benchmark. See [BenchmarkPackages]
// for the parameters.
func HasBenchmarks(ctx context.Context, dir string, patterns, only []string) (bool, error) {
	pkgs, err := BenchmarkPackages(ctx, dir, patterns, only)
	return len(pkgs) > 0, err
}

// Declared returns the names of the benchmark functions in the text of the package's tests, without
// the prefix Benchmark. Some of them may be in comments.
func (pkg *Package) Declared() (names []string) {
	dir, files := pkg.Tests()
	for _, file := range files {
		text, err := os.ReadFile(filepath.Join(dir, file))
		if err != nil {
			continue // the go command reports it
		}
		for _, d := range gobench.Declarations(text) {
			names = append(names, d.Name)
		}
	}
	return names
}

// selectPackages returns the packages in pkgs that also match one of the patterns in only, or all
// of them if only is empty. A pattern that matches nothing is not an error, because the package may
// exist only on the other side.
func selectPackages(ctx context.Context, dir string, pkgs []Package, only []string) ([]Package, error) {
	if len(only) == 0 {
		return pkgs, nil
	}
	chosen, err := listPackages(ctx, dir, only, true)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(pkgs, func(p Package) bool {
		return !slices.ContainsFunc(chosen, func(c Package) bool { return c.ImportPath == p.ImportPath })
	}), nil
}
