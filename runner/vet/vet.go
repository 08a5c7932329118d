// Package vet says whether benchmarks are honest: what in their source, and in the times of
// one short run, makes their figures say something else than they seem to.
//
// It stands before the runner in the flow engine -> runner -> store -> compare -> reports:
// what it finds no number of samples mends. source has the rules over source, shortrun what
// times show; this package holds the one against the other.
package vet

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

	"github.com/perftrack/perftrack/runner/gotool"
	"github.com/perftrack/perftrack/runner/naming"
	"github.com/perftrack/perftrack/runner/vet/source"
)

// Options say what to look at.
type Options struct {
	Dir      string   // in which the patterns are meant
	Patterns []string // of packages; none is the whole module
	Bench    string   // a regular expression of benchmark functions, as -bench of go test; "" is all
	NoRun    bool     // the source alone
	Now      func() time.Time
	Progress func(Progress) // before the source is read, and before each benchmark function; may be nil
}

// Progress is what is about to be done. Package is empty while the source is read, and Packages 0
// until it is known how many there are.
type Progress struct {
	Package               string
	PackageNo, Packages   int // from 1
	Function              string
	FunctionNo, Functions int // of the package, from 1
}

// A Result is what was found.
type Result struct {
	Findings []source.Finding // by file and line
	Packages int              // with benchmarks
	Looked   int              // benchmark functions
	Ran      int              // benchmarks, each with its parameters, that a run judged
	Unrun    int              // findings left out because only a run can confirm them
	Unjudged []Miss           // benchmark functions that a run judged in part or not at all
	Missed   []Miss           // what could not be looked at whole
}

// A Miss is a package, or a benchmark function of it, that could not be looked at whole, and why.
type Miss struct {
	Package   string
	Benchmark string // the function; "" is all of them
	Err       error
}

// ErrNone says that there is no benchmark to look at.
var ErrNone = errors.New("no benchmark")

// ErrStopped says of a benchmark function that the context ended before a run had judged it.
var ErrStopped = errors.New("stopped before it was run to the end")

// noneOf is the error of a pattern that nothing matches, and what is near it.
func noneOf(bench, near string) error {
	if bench == "" {
		return ErrNone
	}
	return fmt.Errorf("%w matches %q%s", ErrNone, bench, near)
}

// Check looks at the benchmarks of packages. It fails where they cannot be listed; what is
// wrong with one of them is a miss. Where ctx ends, what was found is returned beside its error.
func Check(ctx context.Context, opt Options) (res Result, err error) {
	wanted, err := naming.ParsePattern(opt.Bench)
	if err != nil {
		return res, fmt.Errorf("--bench: %w", err)
	}
	c := checker{Options: opt, wanted: wanted, result: &res, found: map[string][]source.Finding{}, declared: map[string][]source.Finding{}, reached: map[string]map[string][]string{},
		packages: map[string][]*source.Package{}, unshown: map[string]bool{}}
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
	packages, err := source.Load(ctx, opt.Dir, paths)
	if err != nil {
		return res, err
	}
	res.Packages = len(declaring)
	for _, p := range packages {
		c.read(p)
	}
	if res.Looked == 0 {
		return res, noneOf(opt.Bench, wanted.Nearest(c.functions))
	}
	err = c.run(ctx, declaring)
	res.Findings = source.Sorted(res.Findings)
	return res, err
}

// outsideModule says so where packages cannot be listed because there is no module.
func outsideModule(ctx context.Context, dir string, err error) error {
	if env, envErr := gotool.Env(ctx, dir, "GOMOD"); envErr == nil && env["GOMOD"] == os.DevNull {
		return fmt.Errorf("no go.mod here nor in a folder above, so that the go command knows no packages: stand in a module, or make one with go mod init: %w", err)
	}
	return err
}

type checker struct {
	Options
	wanted    naming.Pattern
	functions []string // that there are, without the prefix
	result    *Result
	found     map[string][]source.Finding    // by the package's path, the rules'
	declared  map[string][]source.Finding    // its benchmark functions
	packages  map[string][]*source.Package   // with the same path: its tests may be a package of their own
	unshown   map[string]bool                // whose ignored errors no run shows
	reached   map[string]map[string][]string // and the functions that they give their b to
}

// read applies the rules to a package.
func (c *checker) read(p *source.Package) {
	path := strings.TrimSuffix(p.ImportPath, "_test")
	if p.Incomplete != nil {
		c.miss(path, fmt.Errorf("not all types are known, so that some rules are silent: %w", p.Incomplete))
	}
	if c.reached[path] == nil {
		c.reached[path] = map[string][]string{}
	}
	maps.Copy(c.reached[path], p.Reached())
	c.packages[path] = append(c.packages[path], p)
	for _, f := range p.Benchmarks() {
		c.functions = append(c.functions, strings.TrimPrefix(f.Benchmark, "Benchmark"))
		if strings.HasPrefix(f.Benchmark, "Benchmark") && c.wants(f.Benchmark) {
			c.declared[path] = append(c.declared[path], f)
			c.result.Looked++
		}
	}
	for _, f := range p.Findings() {
		if c.asked(path, f.Benchmark) {
			c.found[path] = append(c.found[path], f)
		}
	}
}

// wants reports whether a function is selected.
func (c *checker) wants(function string) bool {
	_, ok := c.wanted.ForFunction(strings.TrimPrefix(function, "Benchmark"), runtime.GOMAXPROCS(0))
	return ok
}

// asked reports whether a function is a benchmark that is asked for, or part of one. It is not
// always seen what calls a function that is given a *testing.B: without --bench it is part.
func (c *checker) asked(path, function string) bool {
	if strings.HasPrefix(function, "Benchmark") || c.Bench == "" {
		return c.wants(function)
	}
	return slices.ContainsFunc(c.declared[path], func(f source.Finding) bool { return c.isPart(path, f.Benchmark, function) })
}

func (c *checker) miss(pkg string, err error) {
	c.result.Missed = append(c.result.Missed, Miss{Package: pkg, Err: err})
}
