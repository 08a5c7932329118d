package program

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/perftrack/perftrack/runner/build"
	"github.com/perftrack/perftrack/runner/gobench"
	"github.com/perftrack/perftrack/runner/gotool"
	"github.com/perftrack/perftrack/runner/identity"
	"github.com/perftrack/perftrack/runner/naming"
	"github.com/perftrack/perftrack/runner/proc"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/runner/turnstile"
)

// A Gotest holds the benchmarks of Go packages. Each package has one test binary, which is compiled
// once but linked with a different function layout for each round.
type Gotest struct {
	plan     *Spec
	dir      string
	bin      string // directory of the binaries
	keep     string // directory for keeping binaries for later measurements, or ""
	guard    *proc.Guard
	rotate   bool
	flags    string // GOFLAGS; its linker flags are used in addition to ours
	pkgs     []gotool.Package
	binaries map[string]string // path of each package's binary, by import path
	recipes  recipes
	tests    map[string]string // -test.bench expression, by slot
	twice    map[string]bool   // functions declared in both the package and its external test package
	dirs     map[string]gotool.Package
	codes    map[string]string               // by package; see codeOf
	sources  map[string]*identity.Benchmarks // by package; see sourceOf
	overlay  string                          // the -overlay file of source files, or ""
	broken   []Unbuilt                       // packages left out because they do not build
}

func openGotest(ctx context.Context, p *Spec, side Side) (Program, error) {
	g, err := newGotest(p, side)
	if err != nil {
		return nil, err
	}
	if g.pkgs, err = g.packages(ctx); err == nil {
		err = g.build(ctx)
	}
	if err != nil {
		return nil, errors.Join(err, g.Close())
	}
	return g, nil
}

// newGotest returns a program without packages.
func newGotest(p *Spec, side Side) (*Gotest, error) {
	temp, err := filepath.Abs(os.TempDir())
	if err != nil {
		return nil, fmt.Errorf("find the temporary directory: %w", err)
	}
	var random [8]byte
	_, _ = rand.Read(random[:])
	bin := filepath.Join(temp, "perftrack-bin-"+hex.EncodeToString(random[:]))
	g := &Gotest{plan: p, dir: side.Dir, bin: bin, keep: side.Keep, rotate: p.Target.Rotates()}
	// The guard is created first, so the directory never exists without one.
	if g.guard, err = proc.OnDeath([]string{bin}); err != nil {
		return nil, err
	}
	if err := os.Mkdir(bin, 0o700); err != nil {
		return nil, errors.Join(fmt.Errorf("create directory for test binaries: %w", err), g.guard.Release())
	}
	return g, nil
}

// build builds the program's packages.
func (g *Gotest) build(ctx context.Context) error {
	g.binaries = map[string]string{}
	for i, pkg := range g.pkgs {
		g.binaries[pkg.ImportPath] = filepath.Join(g.bin, strconv.Itoa(i)+".test")
	}
	flags, err := gotool.Env(ctx, g.dir, "GOFLAGS")
	if err != nil {
		return err
	}
	g.flags = flags["GOFLAGS"]
	if err := g.linkFirst(ctx); err != nil {
		return err
	}
	if len(g.pkgs) == 0 {
		return g.noneBuilt()
	}
	return nil
}

// patterns returns the package patterns for use in messages.
func (g *Gotest) patterns() string {
	if only := g.plan.Target.Only; len(only) > 0 {
		return strings.Join(only, " ")
	}
	return strings.Join(gotool.PackagePatterns(g.plan.Target.Packages), " ")
}

// packages lists the packages to measure. If one side may lack packages, it drops patterns for a
// folder missing on this side, and patterns for a module listed only in the other side's go.work.
func (g *Gotest) packages(ctx context.Context) ([]gotool.Package, error) {
	patterns := gotool.PackagePatterns(g.plan.Target.Packages)
	if g.plan.OneSided {
		patterns = slices.DeleteFunc(slices.Clone(patterns), func(p string) bool {
			folder, _, _ := strings.Cut(p, "...")
			folder = filepath.Join(g.dir, filepath.FromSlash(folder))
			return strings.HasPrefix(p, "./") && (missing(folder) || folder != filepath.Clean(g.dir) &&
				!missing(filepath.Join(folder, "go.mod")) && missing(filepath.Join(g.dir, "go.work")))
		})
		if len(patterns) == 0 {
			return nil, nil
		}
	}
	return gotool.BenchmarkPackages(ctx, g.dir, patterns, g.plan.Target.Only)
}

func missing(path string) bool {
	_, err := os.Stat(path)
	return errors.Is(err, fs.ErrNotExist)
}

// Slots lists the benchmarks of each test binary. A binary may have no benchmarks, for example if
// they are only in comments, or excluded by a build tag.
func (g *Gotest) Slots(ctx context.Context) ([]Slot, error) {
	pat, err := naming.ParsePattern(g.plan.Bench)
	if err != nil {
		return nil, err
	}
	if len(g.pkgs) == 0 {
		return nil, &NoBenchmarksError{g.patterns()}
	}
	g.tests, g.twice, g.dirs = map[string]string{}, map[string]bool{}, map[string]gotool.Package{}
	var slots []Slot
	var functions []string
	for _, pkg := range slices.Clone(g.pkgs) {
		g.dirs[pkg.ImportPath] = pkg
		if g.plan.Profile != "" {
			slots = append(slots, Slot{Package: pkg.ImportPath})
			continue
		}
		list := proc.Command{Argv: []string{g.binaries[pkg.ImportPath], "-test.list", "^Benchmark"}, Dir: pkg.Dir, Env: g.plan.ChildEnvironment(), Box: g.box()}
		out, err := build.Once(ctx, "the list of benchmarks of "+pkg.ImportPath, list)
		if err != nil {
			if err := g.leaveOut(pkg, err); err != nil {
				return nil, err
			}
			continue
		}
		declared := pkg.Declared()
		for line := range strings.Lines(string(out)) {
			name, ok := listedBenchmark(line, declared)
			if !ok {
				continue // a TestMain may print other lines
			}
			functions = append(functions, name)
			for _, s := range g.atEach(Slot{Package: pkg.ImportPath, Bench: name}) {
				expr, ok := pat.ForFunction(name, g.plan.Threads(s))
				if !ok {
					continue
				}
				if g.tests[s.String()] != "" { // both p and p_test declare it, and the expression runs both in one process
					g.twice[pkg.ImportPath+"."+name] = true
					continue
				}
				g.tests[s.String()] = expr
				slots = append(slots, s)
			}
		}
	}
	if len(slots) == 0 {
		return nil, cmp.Or(g.noneBuilt(), error(&NoBenchmarksError{g.patterns() + g.plan.FilterText() + pat.Nearest(functions)}))
	}
	return slots, nil
}

func (g *Gotest) Command(s Slot) proc.Command {
	pkg, binary := g.dirs[s.Package], g.binaries[s.Package]
	if g.plan.Profile != "" {
		// With these flags, a binary that prints no profile runs nothing.
		return proc.Command{Argv: []string{binary, "-test.run=^$", "-test.timeout=0"}, Dir: pkg.Dir, Box: g.box()}
	}
	expr, ok := g.tests[s.String()]
	if !ok {
		expr = gobench.Expression(s.Bench) // a sub-benchmark
	}
	argv := []string{binary, "-test.run=^$", "-test.bench=" + expr, "-test.count=1",
		"-test.benchtime=" + g.plan.Benchtime, "-test.benchmem", "-test.timeout=0"}
	return proc.Command{Argv: append(argv, s.ProcsFlags()...), Dir: pkg.Dir, Box: g.box()}
}

// box returns the box in which the test binaries run.
func (g *Gotest) box() *proc.Box { return g.plan.box(g.dir, g.bin) }

// DeclaredTwice reports whether both p and p_test declare the benchmark function of s, so the
// process prints a result for each.
func (g *Gotest) DeclaredTwice(s Slot) bool {
	function, _, _ := strings.Cut(s.Bench, "/")
	return g.twice[s.Package+"."+function]
}

// atEach returns a slot for the benchmark s at each of the plan's GOMAXPROCS values, or s itself if
// the plan has no values.
func (g *Gotest) atEach(s Slot) (slots []Slot) {
	for _, n := range g.plan.ProcsList() {
		slots = append(slots, Slot{s.Package, s.Bench, n})
	}
	if len(slots) == 0 {
		slots = []Slot{s}
	}
	return slots
}

// Folder returns the folder that holds the binaries.
func (g *Gotest) Folder() string { return g.bin }

// HasFlag reports whether GOFLAGS has a flag.
func (g *Gotest) HasFlag(name string) bool { return gotool.HasFlag(g.flags, name) }

// Dir returns the directory of the source.
func (g *Gotest) Dir() string { return g.dir }

func (g *Gotest) Environment(ctx context.Context) (record.Settings, error) {
	env, err := gotool.Env(ctx, g.dir, "GOVERSION", "GOAMD64", "GOFLAGS", "GOARCH", "GOEXPERIMENT")
	if err != nil {
		return nil, err
	}
	s := record.Settings{{Key: record.KeyGoVersion, Value: env["GOVERSION"]}, {Key: record.KeyLayout, Value: g.plan.Target.LayoutMode()}}
	if env["GOARCH"] == "amd64" {
		s = append(s, record.Setting{Key: record.KeyGOAMD64, Value: env["GOAMD64"]})
	}
	flags := env["GOFLAGS"]
	if x := env["GOEXPERIMENT"]; x != "" {
		flags = strings.TrimSpace(flags + " GOEXPERIMENT=" + x)
	}
	return append(s, record.Setting{Key: record.KeyBuildFlags, Value: gotool.PerformanceFlags(flags)}), nil
}

func (g *Gotest) Format() string { return "gobench" }

func (g *Gotest) Rotates() bool { return g.rotate }

func (g *Gotest) Close() error {
	return errors.Join(os.RemoveAll(g.bin), g.guard.Release())
}

// Binary returns the slot's program, for running it in turns with the other side's program.
func (g *Gotest) Binary(s Slot) turnstile.Program {
	return turnstile.Program{Binary: g.binaries[s.Package], Dir: g.dirs[s.Package].Dir, Box: g.box()}
}

// CodeOf returns a hash of the machine code and the files that may affect a slot's time. It returns
// "" if the hash is unknown. It hashes the first binary, because its layout is the same on both
// sides.
func (g *Gotest) CodeOf(s Slot) string {
	if code, ok := g.codes[s.Package]; ok {
		return code
	}
	if g.codes == nil {
		g.codes = map[string]string{}
	}
	pkg := g.dirs[s.Package]
	code, err := identity.CodeHash(g.binaries[s.Package])
	if err == nil {
		var files string
		files, err = identity.TreeHash(filepath.Join(pkg.Dir, "testdata"))
		code += files
	}
	if err != nil {
		code = "" // so that the slot is measured
	}
	g.codes[s.Package] = code
	return code
}
