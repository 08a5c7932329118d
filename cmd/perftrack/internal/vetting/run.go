package vetting

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"

	report "github.com/perftrack/perftrack/reports/vet"
	"github.com/perftrack/perftrack/runner/gotool"
	"github.com/perftrack/perftrack/runner/proc"
	"github.com/perftrack/perftrack/runner/vet"
	"github.com/perftrack/perftrack/runner/vet/shortrun"
)

// run runs the benchmarks in one package after another to confirm the rules' findings. If the
// context ends, the remaining functions count as not judged, and their findings are kept.
func (c *checker) run(ctx context.Context, packages []gotool.Package) error {
	if c.NoRun {
		for _, p := range packages {
			c.keep(p.ImportPath, nil, nil)
		}
		return nil
	}
	into, err := os.MkdirTemp("", "perftrack-vet-")
	if err != nil {
		return fmt.Errorf("create a folder for the compiled tests: %w", err)
	}
	defer func() { _ = proc.RemoveAll(into) }() // on an error, the system will clean up its temporary folder
	guard, err := proc.OnDeath([]string{into})
	if err != nil {
		return err
	}
	defer func() { _ = guard.Release() }() // the guard may already have ended
	for i, p := range packages {
		if len(c.declared[p.ImportPath]) == 0 {
			continue
		}
		signs, ran := c.judge(ctx, p, into, Progress{Package: p.ImportPath, PackageNo: i + 1, Packages: len(packages)})
		c.result.Ran += len(ran)
		c.keep(p.ImportPath, signs, ran)
	}
	return ctx.Err()
}

// judge runs the benchmark functions in a package, each in its own process, until the package's
// time limit.
func (c *checker) judge(ctx context.Context, p gotool.Package, into string, at Progress) (signs []shortrun.Sign, ran shortrun.Timings) {
	ran = shortrun.Timings{}
	functions := c.declared[p.ImportPath]
	judged := 0
	defer func() {
		if ctx.Err() != nil {
			for _, f := range functions[judged:] {
				c.result.Unjudged = append(c.result.Unjudged, report.Miss{Package: p.ImportPath, Benchmark: f.Benchmark, Err: ErrStopped})
			}
		}
	}()
	if ctx.Err() != nil {
		return nil, ran
	}
	at.Functions = len(functions)
	c.progress(at)
	binary, err := shortrun.Compile(ctx, c.Dir, p.ImportPath, p.Dir, into)
	if ctx.Err() != nil {
		return nil, ran
	}
	if err != nil {
		judged = len(functions)
		if !slices.ContainsFunc(c.result.Missed, func(m report.Miss) bool { return m.Package == p.ImportPath }) { // otherwise the same error has already been reported
			c.miss(p.ImportPath, fmt.Errorf("benchmarks not run: %w", err))
		}
		return nil, ran
	}
	defer func() { _ = binary.Remove() }() // the binary's folder will be removed anyway
	binary.Now = c.Now
	end := c.Now().Add(binary.Limits.Package)
	if err := c.failing(ctx, p, into, end); err != nil {
		return nil, ran
	}
	for i, f := range functions {
		at.Function, at.FunctionNo = f.Benchmark, i+1
		c.progress(at)
		j, err := binary.Judge(ctx, f.Benchmark, c.suspects(p.ImportPath, f.Benchmark), end.Sub(c.Now()))
		if ctx.Err() != nil {
			return signs, ran
		}
		judged++
		if err != nil {
			c.result.Missed = append(c.result.Missed, report.Miss{Package: p.ImportPath, Benchmark: f.Benchmark, Err: fmt.Errorf("its run did not finish: %w", err)})
		} else if j.Unjudged != "" {
			c.result.Unjudged = append(c.result.Unjudged, report.Miss{Package: p.ImportPath, Benchmark: f.Benchmark, Err: errors.New(j.Unjudged)})
		}
		signs = append(signs, j.Signs...)
		maps.Copy(ran, j.Ran)
	}
	return signs, ran
}

func (c *checker) progress(p Progress) {
	if c.Progress != nil {
		c.Progress(p)
	}
}

// suspects returns a function that reports whether a rule has a finding in the benchmark function
// to explain the given kind of sign.
func (c *checker) suspects(path, function string) func(shortrun.Kind) bool {
	return func(kind shortrun.Kind) bool {
		return slices.ContainsFunc(c.found[path], func(f vet.Finding) bool {
			return c.isPart(path, function, f.Benchmark) && slices.Contains(explains[kind], f.Rule)
		})
	}
}
