// Package vetting finds faults in benchmarks for perftrack vet. It applies the rules in runner/vet
// to the benchmarks' source, and confirms or drops suspicions with short runs.
//
// Start with [Check]. run.go runs the benchmarks, keep.go combines findings and signs, and
// failing.go runs instrumented tests.
package vetting

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	report "github.com/perftrack/perftrack/reports/vet"
	"github.com/perftrack/perftrack/runner/gotool"
	"github.com/perftrack/perftrack/runner/naming"
	"github.com/perftrack/perftrack/runner/vet"
	"github.com/perftrack/perftrack/runner/vet/load"
)

// Options select the benchmarks to check.
type Options struct {
	Dir      string   // directory for resolving the patterns
	Patterns []string // package patterns; empty means the whole module
	Bench    string   // regular expression for benchmark functions, as in go test -bench; "" means all
	NoRun    bool     // only read the source and run nothing
	Now      func() time.Time
	Progress func(Progress) // called before each step; may be nil
}

// A Progress describes the next step. While the source is being read, Package is "". Packages is 0
// until the packages have been listed.
type Progress struct {
	Package               string
	PackageNo, Packages   int // PackageNo counts from 1
	Function              string
	FunctionNo, Functions int // numbers within the package; FunctionNo counts from 1
}

// ErrNone is returned if there are no benchmarks to check.
var ErrNone = errors.New("no benchmark")

// ErrStopped is the error in a [report.Miss] for a benchmark still running when the context ended.
var ErrStopped = errors.New("stopped before the end of its run")

// noneOf returns the error if no benchmark matches bench. near is a suggestion of a similar name,
// or "".
func noneOf(bench, near string) error {
	if bench == "" {
		return ErrNone
	}
	return fmt.Errorf("%w matches %q%s", ErrNone, bench, near)
}

// Check checks the benchmarks in packages. It returns an error if the packages cannot be listed; an
// error in a single package is reported as a [report.Miss]. If ctx ends, Check returns the findings
// so far along with ctx's error.
func Check(ctx context.Context, opt Options) (res report.Result, err error) {
	wanted, err := naming.ParsePattern(opt.Bench)
	if err != nil {
		return res, fmt.Errorf("--bench: %w", err)
	}
	c := checker{Options: opt, wanted: wanted, result: &res, found: map[string][]vet.Finding{}, declared: map[string][]vet.Finding{}, reached: map[string]map[string][]string{},
		packages: map[string][]*vet.Package{}, unshown: map[string]bool{}}
	c.progress(Progress{})
	declaring, err := gotool.BenchmarkPackages(ctx, opt.Dir, opt.Patterns, nil)
	if err != nil {
		return res, outsideModule(ctx, opt.Dir, err)
	}
	if len(declaring) == 0 {
		return res, ErrNone
	}
	var paths []string
	for _, p := range declaring {
		paths = append(paths, p.ImportPath)
	}
	c.progress(Progress{Packages: len(declaring)})
	packages, err := load.Packages(ctx, opt.Dir, paths)
	if err != nil {
		return res, err
	}
	res.Packages = len(declaring)
	for _, p := range packages {
		c.read(p)
	}
	if res.Functions == 0 {
		return res, noneOf(opt.Bench, wanted.Nearest(c.functions))
	}
	err = c.run(ctx, declaring)
	res.Findings = vet.Sorted(res.Findings)
	return res, err
}

// outsideModule adds an explanation to an error from go list if the directory is not in a module.
func outsideModule(ctx context.Context, dir string, err error) error {
	if env, envErr := gotool.Env(ctx, dir, "GOMOD"); envErr == nil && env["GOMOD"] == os.DevNull {
		return fmt.Errorf("no go.mod here or in a parent folder: change to a module, or create one with go mod init: %w", err)
	}
	return err
}

type checker struct {
	Options
	wanted    naming.Pattern
	functions []string // all benchmark functions, without the prefix Benchmark
	result    *report.Result
	found     map[string][]vet.Finding       // the rules' findings, by package path
	declared  map[string][]vet.Finding       // selected benchmark functions, by package path
	packages  map[string][]*vet.Package      // packages by path; a package and its external tests share a path
	unshown   map[string]bool                // packages for which no instrumented run was possible
	reached   map[string]map[string][]string // functions receiving each benchmark function's *testing.B, by package path and benchmark function
}

// read applies the rules to a package.
func (c *checker) read(p *vet.Package) {
	path := strings.TrimSuffix(p.ImportPath, "_test")
	if p.Incomplete != nil {
		c.miss(path, fmt.Errorf("some types are unknown, so vet may miss mistakes: %w", p.Incomplete))
	}
	if c.reached[path] == nil {
		c.reached[path] = map[string][]string{}
	}
	maps.Copy(c.reached[path], p.Reached())
	c.packages[path] = append(c.packages[path], p)
	for _, f := range p.Benchmarks() {
		c.functions = append(c.functions, strings.TrimPrefix(f.Benchmark, "Benchmark"))
		if strings.HasPrefix(f.Benchmark, "Benchmark") && c.selects(f.Benchmark) {
			c.declared[path] = append(c.declared[path], f)
			c.result.Functions++
		}
	}
	for _, f := range p.Findings() {
		if c.selected(path, f.Benchmark) {
			c.found[path] = append(c.found[path], f)
		}
	}
}

// selects reports whether --bench selects a benchmark function.
func (c *checker) selects(function string) bool {
	_, ok := c.wanted.ForFunction(strings.TrimPrefix(function, "Benchmark"), runtime.GOMAXPROCS(0))
	return ok
}

// selected reports whether a function is a selected benchmark or part of one. The callers of a
// function with a *testing.B parameter are not always known, so without --bench every function with
// such a parameter counts.
func (c *checker) selected(path, function string) bool {
	if strings.HasPrefix(function, "Benchmark") || c.Bench == "" {
		return c.selects(function)
	}
	return slices.ContainsFunc(c.declared[path], func(f vet.Finding) bool { return c.isPart(path, f.Benchmark, function) })
}

func (c *checker) miss(pkg string, err error) {
	c.result.Missed = append(c.result.Missed, report.Miss{Package: pkg, Err: err})
}
