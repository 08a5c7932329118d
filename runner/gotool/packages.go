// Package gotool asks the go command about a folder: which packages there have benchmarks,
// what a package is built from, which modules a workspace has, and with what settings Go
// builds.
//
// Packages are named by patterns, as in perftrack.toml. Nothing is built. Begin with
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
	"regexp"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/runner/build"
	"github.com/perftrack/perftrack/runner/proc"
)

// A Package is what the go command says of a package.
type Package struct {
	Dir          string
	ImportPath   string
	TestGoFiles  []string
	XTestGoFiles []string

	EmbedFiles []string
	// Patterns of the files that the tests embed: [FindTestEmbeds] finds the files.
	TestEmbedPatterns, XTestEmbedPatterns []string
	TestEmbedFiles, XTestEmbedFiles       []string

	Error *struct{ Err string }

	// TestDir is where the test files are that the package is built with, "" where they are its own.
	TestDir string `json:"-"`
}

// Tests returns where the package's test files are, and their names.
func (pkg *Package) Tests() (dir string, names []string) {
	return cmp.Or(pkg.TestDir, pkg.Dir), slices.Concat(pkg.TestGoFiles, pkg.XTestGoFiles)
}

// PackagePatterns returns the patterns, or the whole module if there are none.
func PackagePatterns(patterns []string) []string {
	if len(patterns) == 0 {
		return []string{"./..."}
	}
	return patterns
}

// BenchmarkPackages lists the packages that match patterns and declare a benchmark. If
// only is not empty, they must match one of its patterns as well. Test files are
// searched as text, because building every package's tests to ask would take minutes in
// a large module.
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

// listPackages lists packages. What is wrong with one of them is left to its build to
// report. A pattern that matches nothing is an error unless missing is set.
func listPackages(ctx context.Context, dir string, patterns []string, missing bool) (found []Package, err error) {
	argv := append([]string{"go", "list", "-e", "-json=Dir,ImportPath,TestGoFiles,XTestGoFiles,EmbedFiles,TestEmbedPatterns,XTestEmbedPatterns,Error", "--"}, patterns...)
	out, err := build.Step(ctx, "the list of packages "+strings.Join(patterns, " "), proc.Command{Argv: argv, Dir: dir})
	if err != nil {
		return nil, err
	}
	dec := json.NewDecoder(bytes.NewReader(out))
	for {
		var pkg Package
		if err := dec.Decode(&pkg); errors.Is(err, io.EOF) {
			return found, nil
		} else if err != nil {
			return nil, fmt.Errorf("read the list of packages: %w", err)
		}
		if pkg.Error != nil && pkg.Dir == "" && missing {
			continue
		}
		if pkg.Error != nil && pkg.Dir == "" {
			return nil, &build.Error{What: pkg.ImportPath, Err: errors.New(pkg.Error.Err)}
		}
		found = append(found, pkg)
	}
}

// FindTestEmbeds fills in the files that the tests of packages embed. The go command tells them only
// of packages that it loads with their tests, which takes longer.
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
	out, err := build.Step(ctx, "the list of embedded files", proc.Command{Argv: argv, Dir: dir})
	if err != nil {
		return err
	}
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var found Package
		if err := dec.Decode(&found); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return fmt.Errorf("read the list of embedded files: %w", err)
		}
		for i := range pkgs {
			if pkgs[i].ImportPath == found.ImportPath {
				pkgs[i].TestEmbedFiles, pkgs[i].XTestEmbedFiles = found.TestEmbedFiles, found.XTestEmbedFiles
			}
		}
	}
}

func (pkg *Package) hasBenchmark() (bool, error) {
	dir, names := pkg.Tests()
	for _, name := range names {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return false, fmt.Errorf("look for benchmarks: %w", err)
		}
		if bytes.HasPrefix(text, []byte("func Benchmark")) || bytes.Contains(text, []byte("\nfunc Benchmark")) {
			return true, nil
		}
	}
	return false, nil
}

// HasBenchmarks reports whether the packages in dir declare any benchmark; see
// [BenchmarkPackages] for only.
func HasBenchmarks(ctx context.Context, dir string, patterns, only []string) (bool, error) {
	pkgs, err := BenchmarkPackages(ctx, dir, patterns, only)
	return len(pkgs) > 0, err
}

var benchmarkDeclaration = regexp.MustCompile(`(?m)^func Benchmark(\w*)\s*\(`)

// Declared returns the names of the benchmark functions in the text of the package's
// tests, without the prefix Benchmark. Some may be commented out.
func (pkg *Package) Declared() (names []string) {
	dir, files := pkg.Tests()
	for _, file := range files {
		text, err := os.ReadFile(filepath.Join(dir, file))
		if err != nil {
			continue // the go command has said so
		}
		for _, m := range benchmarkDeclaration.FindAllSubmatch(text, -1) {
			names = append(names, string(m[1]))
		}
	}
	return names
}

// selectPackages returns the packages that match one of only's patterns as well, all of
// them if there are none. A pattern may match nothing here: the package may exist on the
// other side only.
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
