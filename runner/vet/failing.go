package vet

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/perftrack/perftrack/runner/gotool"
	"github.com/perftrack/perftrack/runner/vet/shortrun"
	"github.com/perftrack/perftrack/runner/vet/source"
)

// failing runs some operations of the benchmarks that ignore errors or may do nothing, with tests
// that print it, and makes the suspicions that this confirms findings. Where such tests cannot be compiled the
// suspicions are counted as left out. It fails only where the context is done.
func (c *checker) failing(ctx context.Context, p gotool.Package, into string, end time.Time) error {
	operations := c.shown(p.ImportPath)
	if len(operations) == 0 {
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
	for _, function := range slices.Sorted(maps.Keys(operations)) {
		said, err := binary.Say(ctx, function, operations[function], end.Sub(c.Now()))
		if err != nil {
			return err
		}
		for i, f := range c.found[p.ImportPath] {
			if f.Operations() == 0 || f.Sure != source.Suspected || !c.isPart(p.ImportPath, function, f.Benchmark) {
				continue
			}
			if reason := source.Shown(said, f); reason != "" {
				f.Sure, f.Found = source.Likely, f.Found+" ("+reason+")"
				c.found[p.ImportPath][i] = f
			}
		}
	}
	return nil
}

// shown are the benchmark functions with suspicions that an instrumented run confirms, and how many
// operations of each that takes.
func (c *checker) shown(path string) map[string]int {
	operations := map[string]int{}
	for _, d := range c.declared[path] {
		for _, f := range c.found[path] {
			if f.Operations() > 0 && c.isPart(path, d.Benchmark, f.Benchmark) {
				operations[d.Benchmark] = max(operations[d.Benchmark], f.Operations())
			}
		}
	}
	return operations
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
