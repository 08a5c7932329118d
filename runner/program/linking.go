package program

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/perftrack/perftrack/runner/build"
	"github.com/perftrack/perftrack/runner/childenv"
	"github.com/perftrack/perftrack/runner/gotool"
	"github.com/perftrack/perftrack/runner/identity"
	"github.com/perftrack/perftrack/runner/proc"
)

// Lacking returns the jobs that must run before the slots can be measured with seed. It is nil if
// the layout never changes.
func (g *Gotest) Lacking(seed uint64, slots []Slot) (jobs []LinkJob) {
	for _, pkg := range g.ofSlots(slots) {
		to := g.ahead(pkg, seed)
		if _, err := os.Stat(to); err == nil {
			continue
		}
		job := LinkJob{Run: func(ctx context.Context, cpus int) error { return g.link(ctx, pkg, seed, to, cpus) }}
		if info, err := os.Stat(g.binaries[pkg.ImportPath]); err == nil {
			job.Bytes = info.Size()
		}
		jobs = append(jobs, job)
	}
	return jobs
}

// Use replaces the slots' binaries with the binaries linked with seed, and removes any other files
// for that seed.
func (g *Gotest) Use(seed uint64, slots []Slot) error {
	for _, pkg := range g.ofSlots(slots) {
		if err := os.Rename(g.ahead(pkg, seed), g.binaries[pkg.ImportPath]); err != nil {
			return fmt.Errorf("use linked binary: %w", err)
		}
	}
	return os.RemoveAll(filepath.Join(g.bin, seedText(seed)))
}

// ofSlots returns the packages of the slots, or nil if the layout never changes.
func (g *Gotest) ofSlots(slots []Slot) []gotool.Package {
	if !g.rotate {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(g.pkgs), func(pkg gotool.Package) bool {
		return !slices.ContainsFunc(slots, func(s Slot) bool { return s.Package == pkg.ImportPath })
	})
}

// ahead returns the path for pkg's test binary when it is linked with seed ahead of its round.
func (g *Gotest) ahead(pkg gotool.Package, seed uint64) string {
	return filepath.Join(g.bin, seedText(seed), filepath.Base(g.binaries[pkg.ImportPath]))
}

func seedText(seed uint64) string { return strconv.FormatUint(seed, 10) }

// link creates a package's test binary for a seed, using the given number of CPUs. It copies a kept
// binary if there is one. Otherwise it repeats the go command's earlier link, or runs the go
// command if that is not possible.
func (g *Gotest) link(ctx context.Context, pkg gotool.Package, seed uint64, to string, cpus int) error {
	kept := g.kept(pkg, seed)
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		return fmt.Errorf("create directory for test binaries: %w", err)
	}
	if restoreBinary(kept, to) {
		return nil
	}
	if !g.linkAgain(ctx, pkg, seed, to, cpus) {
		rec := g.recording()
		if err := g.test(ctx, pkg.ImportPath, seed, rec, to, pkg.ImportPath); err != nil {
			return err
		}
		g.learn(rec)
	}
	keepBinary(to, kept)
	return nil
}

// linkAgain links the binary by following its recipe and reports whether it succeeded.
func (g *Gotest) linkAgain(ctx context.Context, pkg gotool.Package, seed uint64, to string, cpus int) bool {
	r, ok := g.recipes.find(pkg.ImportPath)
	if !ok {
		return false
	}
	if err := r.link(ctx, pkg.ImportPath, seed, to, g.bin, cpus); err != nil {
		g.recipes.forget(pkg.ImportPath) // a compiled package may have been removed from the build cache
		return false
	}
	return true
}

// linkFirst links the first binary of every package. It links most of them in a single run of the
// go command on all CPUs, and then repeats the failed packages one by one to get the error of each.
func (g *Gotest) linkFirst(ctx context.Context) error {
	if err := g.linkTogether(ctx); err != nil {
		return err
	}
	for _, pkg := range slices.Clone(g.pkgs) {
		binary := g.binaries[pkg.ImportPath]
		if _, err := os.Stat(binary); err == nil {
			continue
		}
		if err := g.link(ctx, pkg, LayoutSeed(0), binary, runtime.GOMAXPROCS(0)); err != nil {
			if err := g.leaveOut(pkg, err); err != nil {
				return err
			}
		}
	}
	return nil
}

func (g *Gotest) linkTogether(ctx context.Context) error {
	var lacking []string
	for _, pkg := range g.pkgs {
		if !restoreBinary(g.kept(pkg, LayoutSeed(0)), g.binaries[pkg.ImportPath]) {
			lacking = append(lacking, pkg.ImportPath)
		}
	}
	rec := g.recording()
	if len(lacking) < 2 || rec == nil {
		return nil
	}
	err := g.test(ctx, g.plan.Target.Name, LayoutSeed(0), rec, os.DevNull, lacking...)
	if err != nil && !errors.As(err, new(*build.Error)) {
		return err
	}
	g.learn(rec)
	for _, l := range rec.links() {
		for _, pkg := range g.pkgs {
			if l.importPath == pkg.ImportPath+".test" && os.Rename(l.binary, g.binaries[pkg.ImportPath]) == nil {
				keepBinary(g.binaries[pkg.ImportPath], g.kept(pkg, LayoutSeed(0)))
			}
		}
	}
	return nil
}

// test runs `go test -c`. With -trimpath and -buildvcs=false, a binary contains neither the
// directory nor the commit, so the same source results in the same binary in the work tree and in a
// throw-away checkout. Linking is faster without the symbol table and the debug information, which
// no benchmark needs; profiles take function names from the runtime's own table.
func (g *Gotest) test(ctx context.Context, what string, seed uint64, rec *recording, to string, pkgs ...string) error {
	argv := []string{"go", "test", "-c", "-vet=off", "-trimpath", "-buildvcs=false", "-o", to}
	ldflags := strings.TrimSpace(gotool.LinkerFlags(g.flags) + " -s " + identity.LinkerFlag)
	if g.rotate {
		ldflags += " " + alignFlag + " " + seedFlag + seedText(seed)
	}
	argv = append(argv, "-ldflags="+ldflags)
	if g.overlay != "" {
		argv = append(argv, "-overlay="+g.overlay)
	}
	argv = append(append(argv, rec.flags()...), pkgs...)
	// The guard removes the go command's temporary files even if perftrack is killed.
	env := append(childenv.Tools(), "GOTMPDIR="+g.bin)
	_, err := build.Step(ctx, what, proc.Command{Argv: argv, Dir: g.dir, Env: env})
	return err
}

// recording prepares to record a run of the go command. It returns nil if the user's flags set
// -toolexec.
func (g *Gotest) recording() *recording {
	if gotool.HasFlag(g.flags, "toolexec") {
		return nil
	}
	return newRecording(g.bin)
}

// learn stores the recipes for the recorded links.
func (g *Gotest) learn(rec *recording) {
	for _, l := range rec.links() {
		if r, ok := l.recipe(); ok {
			g.recipes.set(strings.TrimSuffix(l.importPath, ".test"), r)
		}
	}
}

// recipes holds the recipes for a side's test binaries, by import path. It is safe for concurrent
// use.
type recipes struct {
	mu sync.Mutex
	of map[string]recipe
}

func (rs *recipes) find(importPath string) (recipe, bool) {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	r, ok := rs.of[importPath]
	return r, ok
}

func (rs *recipes) set(importPath string, r recipe) {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	if rs.of == nil {
		rs.of = map[string]recipe{}
	}
	rs.of[importPath] = r
}

func (rs *recipes) forget(importPath string) {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	delete(rs.of, importPath)
}
