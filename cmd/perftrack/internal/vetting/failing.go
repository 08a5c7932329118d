package vetting

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
	"github.com/perftrack/perftrack/runner/vet"
	"github.com/perftrack/perftrack/runner/vet/shortrun"
)

// failing runs instrumented tests for the benchmarks suspected of ignoring errors or doing nothing,
// and turns confirmed suspicions into findings. If the tests do not compile, the suspicions count
// as not judged. failing returns an error only if the context ends.
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
		c.unshown[p.ImportPath] = true // the normal build reports any errors in the tests
		return nil
	}
	defer func() { _ = binary.Remove() }() // the binary's folder will be removed anyway
	binary.Now = c.Now
	for _, function := range slices.Sorted(maps.Keys(operations)) {
		said, err := binary.Say(ctx, function, operations[function], end.Sub(c.Now()))
		if err != nil {
			return err
		}
		for i, f := range c.found[p.ImportPath] {
			if f.Operations() == 0 || f.Sure != vet.Suspected || !c.isPart(p.ImportPath, function, f.Benchmark) {
				continue
			}
			if reason := vet.Shown(said, f); reason != "" {
				f.Sure, f.Found = vet.Likely, f.Found+" ("+reason+")"
				c.found[p.ImportPath][i] = f
			}
		}
	}
	return nil
}

// shown returns the number of operations to run for each benchmark function with a suspicion that
// an instrumented run can confirm.
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

// overlay writes a package's instrumented tests to a directory in into, and returns the file to
// pass to go test -overlay.
func (c *checker) overlay(path, into string) (string, error) {
	dir, err := os.MkdirTemp(into, "overlay-")
	if err != nil {
		return "", fmt.Errorf("create a folder for instrumented tests: %w", err)
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
				return "", fmt.Errorf("write instrumented tests: %w", err)
			}
			replace.Replace[file] = changed
		}
	}
	text, err := json.Marshal(replace)
	if err != nil {
		return "", fmt.Errorf("write instrumented tests: %w", err)
	}
	list := filepath.Join(dir, "overlay.json")
	return list, os.WriteFile(list, text, 0o600)
}
