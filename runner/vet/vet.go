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
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/perftrack/perftrack/runner/gotool"
	"github.com/perftrack/perftrack/runner/vet/shortrun"
	"github.com/perftrack/perftrack/runner/vet/source"
)

// Options say what to look at.
type Options struct {
	Dir      string   // in which the patterns are meant
	Patterns []string // of packages; none is the whole module
	Bench    string   // a regular expression of benchmark functions, as -bench of go test; "" is all
	NoRun    bool     // the source alone
	Now      func() time.Time
	Progress func(done, all int, pkg string) // before each package that is run; may be nil
}

// A Result is what was found.
type Result struct {
	Findings []source.Finding // by file and line
	Packages int              // with benchmarks
	Looked   int              // benchmark functions
	Ran      int              // benchmarks, each with its parameters
	Unrun    int              // findings left out because only a run can confirm them
	Missed   []Miss           // what could not be looked at whole
}

// A Miss is a package that could not be looked at whole, and why.
type Miss struct {
	Package string
	Err     error
}

// ErrNone says that there is no benchmark to look at.
var ErrNone = errors.New("no benchmark")

// Check looks at the benchmarks of packages. It fails where they cannot be listed; what is
// wrong with one of them is a miss.
func Check(ctx context.Context, opt Options) (res Result, err error) {
	wanted, err := regexp.Compile(opt.Bench)
	if err != nil {
		return res, fmt.Errorf("--bench %q: %w", opt.Bench, err)
	}
	declaring, err := gotool.BenchmarkPackages(ctx, opt.Dir, opt.Patterns, nil)
	if err != nil {
		return res, err
	}
	if len(declaring) == 0 {
		return res, ErrNone
	}
	var paths []string
	for _, p := range declaring {
		paths = append(paths, p.ImportPath)
	}
	packages, err := source.Load(ctx, opt.Dir, paths)
	if err != nil {
		return res, err
	}
	res.Packages = len(declaring)
	c := checker{Options: opt, wanted: wanted, result: &res, found: map[string][]source.Finding{}, declared: map[string][]source.Finding{}}
	for _, p := range packages {
		c.read(p)
	}
	if res.Looked == 0 {
		return res, ErrNone
	}
	err = c.run(ctx, declaring)
	res.Findings = source.Sorted(res.Findings)
	return res, err
}

type checker struct {
	Options
	wanted   *regexp.Regexp
	result   *Result
	found    map[string][]source.Finding // by the package's path, the rules'
	declared map[string][]source.Finding // its benchmark functions
}

// read applies the rules to a package.
func (c *checker) read(p *source.Package) {
	path := strings.TrimSuffix(p.ImportPath, "_test")
	if p.Incomplete != nil {
		c.miss(path, fmt.Errorf("not all types are known, so that some rules are silent: %w", p.Incomplete))
	}
	for _, f := range p.Findings() {
		// A function that benchmarks call has no name that could be asked for.
		if !strings.HasPrefix(f.Benchmark, "Benchmark") || c.wanted.MatchString(f.Benchmark) {
			c.found[path] = append(c.found[path], f)
		}
	}
	for _, f := range p.Benchmarks() {
		if strings.HasPrefix(f.Benchmark, "Benchmark") && c.wanted.MatchString(f.Benchmark) {
			c.declared[path] = append(c.declared[path], f)
			c.result.Looked++
		}
	}
}

func (c *checker) miss(pkg string, err error) {
	c.result.Missed = append(c.result.Missed, Miss{pkg, err})
}

// run runs the packages one after the other and confirms what the rules found.
func (c *checker) run(ctx context.Context, packages []gotool.Package) error {
	if c.NoRun {
		for _, p := range packages {
			c.keep(p.ImportPath, nil, nil)
		}
		return nil
	}
	into, err := os.MkdirTemp("", "perftrack-vet-")
	if err != nil {
		return fmt.Errorf("make a folder for the compiled tests: %w", err)
	}
	defer func() { _ = os.RemoveAll(into) }() // what is left there is the system's to clean
	for i, p := range packages {
		if len(c.declared[p.ImportPath]) == 0 {
			continue
		}
		if c.Progress != nil {
			c.Progress(i, len(packages), p.ImportPath)
		}
		signs, ran, err := c.times(ctx, p, into)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			c.miss(p.ImportPath, fmt.Errorf("its benchmarks were not run to the end: %w", err))
		}
		c.result.Ran += len(ran)
		c.keep(p.ImportPath, signs, ran)
	}
	return nil
}

func (c *checker) times(ctx context.Context, p gotool.Package, into string) ([]shortrun.Sign, shortrun.Timings, error) {
	binary, err := shortrun.Compile(ctx, c.Dir, p.ImportPath, p.Dir, into)
	if err != nil {
		return nil, nil, err
	}
	var names []string
	for _, f := range c.declared[p.ImportPath] {
		names = append(names, regexp.QuoteMeta(f.Benchmark))
	}
	return binary.Signs(ctx, "^("+strings.Join(names, "|")+")$", c.Now)
}

// keep adds what the rules found in a package and the run confirms, and what the run alone
// shows. Without a run nothing that is only suspected is kept.
func (c *checker) keep(path string, signs []shortrun.Sign, ran shortrun.Timings) {
	held := map[source.Finding]bool{}
	for _, s := range signs {
		c.confirm(path, s, held)
	}
	for _, f := range c.found[path] {
		switch {
		case held[f]:
		case f.Sure == source.Suspected:
			if ran == nil {
				c.result.Unrun++
			}
		default:
			if f.Rule == source.Discarded && slow(f.Benchmark, ran) {
				f.Sure = source.Possible
			}
			c.add(f)
		}
	}
}

// slow reports whether a benchmark takes long enough to show that not all of its work was
// left out.
func slow(function string, ran shortrun.Timings) bool {
	quickest := -1.0
	for name, t := range ran {
		if shortrun.Function(name) == function && (quickest < 0 || t.Op < quickest) {
			quickest = t.Op
		}
	}
	return quickest > 2
}

// explains lists, by kind of sign, the rules whose findings in the same function are its cause.
var explains = map[shortrun.Kind][]source.Rule{
	shortrun.TooFast:      {source.Discarded, source.NoLoop, source.LeftEarly, source.TimerStopped, source.TimerReset, source.Parallel, source.ConsumedRead},
	shortrun.NotRepeated:  {source.NoLoop, source.LeftEarly, source.TimerStopped, source.TimerReset, source.OuterB, source.Parallel},
	shortrun.Growing:      {source.Grows, source.SizeOfN, source.LoopVariable, source.Defers, source.Unawaited, source.OuterB, source.Parallel},
	shortrun.MostlyPaused: {source.TimerStopped},
	shortrun.SetupCounted: {source.SetupTimed, source.NoLoop},
}

// alone are the signs that are findings even where no rule says why.
var alone = map[shortrun.Kind]string{
	shortrun.TooFast:     "for b.Loop() around work whose result is used",
	shortrun.NotRepeated: "a loop over b.N or b.Loop() around what is measured",
	shortrun.Growing:     "operations that are all alike: nothing that one leaves behind for the next, no size that depends on b.N",
}

// confirm makes findings that a sign confirms certain, and the sign itself a finding where no
// rule says why.
func (c *checker) confirm(path string, s shortrun.Sign, held map[source.Finding]bool) {
	function, explained := shortrun.Function(s.Name), false
	for _, f := range c.found[path] {
		if f.Benchmark != function || !slices.Contains(explains[s.Kind], f.Rule) {
			continue
		}
		explained = true
		if !held[f] {
			held[f] = true
			sure := f
			sure.Sure, sure.Found = source.Certain, f.Found+" ("+s.Name+": "+s.Found+")"
			c.add(sure)
		}
	}
	remedy, ok := alone[s.Kind]
	if explained || !ok {
		return
	}
	for _, f := range c.declared[path] {
		if f.Benchmark == function {
			f.Rule, f.Sure, f.Found, f.Remedy = source.Rule(s.Kind), source.Likely, s.Name+": "+s.Found, remedy
			c.add(f)
		}
	}
}

// add adds a finding, with its file as a path from where the user stands if it is below.
func (c *checker) add(f source.Finding) {
	if path, err := filepath.Rel(c.Dir, f.File); err == nil && filepath.IsLocal(path) {
		f.File = filepath.ToSlash(path)
	}
	c.result.Findings = append(c.result.Findings, f)
}
