package vet

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/perftrack/perftrack/runner/gotool"
	"github.com/perftrack/perftrack/runner/vet/shortrun"
	"github.com/perftrack/perftrack/runner/vet/source"
)

// failing runs one operation of the benchmarks that ignore errors, with tests that print them,
// and makes the suspicions of those that fail findings. Where such tests cannot be compiled the
// suspicions are counted as left out. It fails only where the context is done.
func (c *checker) failing(ctx context.Context, p gotool.Package, into string, end time.Time) error {
	functions := c.ignoring(p.ImportPath)
	if len(functions) == 0 {
		return nil
	}
	overlay, err := c.overlay(p.ImportPath, into)
	if err != nil {
		c.unshown[p.ImportPath] = true
		c.miss(p.ImportPath, err)
		return nil
	}
	binary, err := shortrun.Compile(ctx, c.Dir, p.ImportPath, p.Dir, into, "-overlay="+overlay)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		c.unshown[p.ImportPath] = true // what is wrong with the tests themselves is said by the other build
		return nil
	}
	defer func() { _ = binary.Remove() }() // the folder around it is removed, too
	binary.Now = c.Now
	for _, function := range functions {
		said, err := binary.Once(ctx, function, end.Sub(c.Now()))
		if err != nil {
			return err
		}
		for i, f := range c.found[p.ImportPath] {
			if f.Rule != source.IgnoredError || !c.isPart(p.ImportPath, function, f.Benchmark) {
				continue
			}
			if reason := source.Failed(said, f); reason != "" {
				f.Sure, f.Found = source.Likely, f.Found+" ("+reason+")"
				c.found[p.ImportPath][i] = f
			}
		}
	}
	return nil
}

// ignoring are the benchmark functions with errors that nobody looks at.
func (c *checker) ignoring(path string) (functions []string) {
	for _, d := range c.declared[path] {
		if slices.ContainsFunc(c.found[path], func(f source.Finding) bool {
			return f.Rule == source.IgnoredError && c.isPart(path, d.Benchmark, f.Benchmark)
		}) {
			functions = append(functions, d.Benchmark)
		}
	}
	return functions
}

// overlay writes the instrumented tests of a package into a directory, and the file for the go
// command that puts them in the place of the others.
func (c *checker) overlay(path, into string) (string, error) {
	dir, err := os.MkdirTemp(into, "overlay-")
	if err != nil {
		return "", fmt.Errorf("make a folder for tests that show errors: %w", err)
	}
	var replace struct{ Replace map[string]string }
	replace.Replace = map[string]string{}
	for _, p := range c.packages[path] {
		files, err := p.Instrumented()
		if err != nil {
			return "", err
		}
		for file, text := range files {
			changed := filepath.Join(dir, fmt.Sprintf("%d.go", len(replace.Replace)))
			if err := os.WriteFile(changed, text, 0o600); err != nil {
				return "", fmt.Errorf("write tests that show errors: %w", err)
			}
			replace.Replace[file] = changed
		}
	}
	text, err := json.Marshal(replace)
	if err != nil {
		return "", fmt.Errorf("write tests that show errors: %w", err)
	}
	list := filepath.Join(dir, "overlay.json")
	return list, os.WriteFile(list, text, 0o600)
}
