package vet

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"

	"github.com/perftrack/perftrack/runner/gotool"
	"github.com/perftrack/perftrack/runner/proc"
	"github.com/perftrack/perftrack/runner/vet/shortrun"
	"github.com/perftrack/perftrack/runner/vet/source"
)

// run runs the packages one after the other and confirms what the rules found. Where the context
// ends, each function that no run has judged is noted, and what the source tells of it is kept.
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
	defer func() { _ = proc.RemoveAll(into) }() // what is left there is the system's to clean
	guard, err := proc.OnDeath([]string{into})
	if err != nil {
		return err
	}
	defer func() { _ = guard.Release() }() // gone already is as good
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

// judge runs the benchmark functions of a package, each in a process of its own, for as long as
// there is time for the package.
func (c *checker) judge(ctx context.Context, p gotool.Package, into string, at Progress) (signs []shortrun.Sign, ran shortrun.Timings) {
	ran = shortrun.Timings{}
	functions := c.declared[p.ImportPath]
	judged := 0
	defer func() {
		if ctx.Err() != nil {
			for _, f := range functions[judged:] {
				c.result.Unjudged = append(c.result.Unjudged, Miss{p.ImportPath, f.Benchmark, ErrStopped})
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
		if !slices.ContainsFunc(c.result.Missed, func(m Miss) bool { return m.Package == p.ImportPath }) { // else it is the same fault
			c.miss(p.ImportPath, fmt.Errorf("its benchmarks were not run: %w", err))
		}
		return nil, ran
	}
	defer func() { _ = binary.Remove() }() // the folder around it is removed, too
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
			c.result.Missed = append(c.result.Missed, Miss{p.ImportPath, f.Benchmark, fmt.Errorf("it was not run to the end: %w", err)})
		} else if j.Unjudged != "" {
			c.result.Unjudged = append(c.result.Unjudged, Miss{p.ImportPath, f.Benchmark, errors.New(j.Unjudged)})
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

// suspects tells for which signs the rules gave a reason in a benchmark function.
func (c *checker) suspects(path, function string) func(shortrun.Kind) bool {
	return func(kind shortrun.Kind) bool {
		return slices.ContainsFunc(c.found[path], func(f source.Finding) bool {
			return c.isPart(path, function, f.Benchmark) && slices.Contains(explains[kind], f.Rule)
		})
	}
}
