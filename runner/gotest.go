package runner

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/perftrack/perftrack/runner/identity"
	"github.com/perftrack/perftrack/runner/proc"
	"github.com/perftrack/perftrack/runner/record"
)

// gotestProgram is the benchmarks of Go packages: one test binary a package,
// relinked with another function layout before each round. The compiler's
// work is done once and comes from the build cache afterwards.
type gotestProgram struct {
	plan   *Plan
	dir    string
	bin    string // directory of the binaries
	keep   string // directory in which they are kept for the next time, or ""
	guard  *proc.Guard
	rotate bool
	flags  string // the user's own linker flags, kept beside ours
	pkgs   []goPackage
	tests  map[string]string // slot -> -test.bench expression
	dirs   map[string]goPackage
	codes  map[string]string // by package, see codeOf
	broken []Unbuilt         // packages that are left out
}

type goPackage struct {
	Dir          string
	ImportPath   string
	TestGoFiles  []string
	XTestGoFiles []string
	Error        *struct{ Err string }
	binary       string
}

func openGotest(ctx context.Context, p *Plan, side Side) (program, error) {
	temp, err := filepath.Abs(os.TempDir())
	if err != nil {
		return nil, fmt.Errorf("find the temporary directory: %w", err)
	}
	var random [8]byte
	_, _ = rand.Read(random[:])
	bin := filepath.Join(temp, "perftrack-bin-"+hex.EncodeToString(random[:]))
	g := &gotestProgram{plan: p, dir: side.Dir, bin: bin, keep: side.Keep, rotate: p.Target.Rotates()}
	// The guard comes first: at no moment is there a directory without one.
	if g.guard, err = proc.OnDeath([]string{bin}); err != nil {
		return nil, err
	}
	if err := os.Mkdir(bin, 0o700); err != nil {
		return nil, errors.Join(fmt.Errorf("create directory for test binaries: %w", err), g.guard.Release())
	}
	if err := g.build(ctx); err != nil {
		return nil, errors.Join(err, g.close())
	}
	return g, nil
}

func (g *gotestProgram) build(ctx context.Context) error {
	pkgs, err := g.packages(ctx)
	if err != nil {
		return err
	}
	for i := range pkgs {
		pkgs[i].binary = filepath.Join(g.bin, strconv.Itoa(i)+".test")
	}
	g.pkgs = pkgs
	flags, err := goEnv(ctx, g.dir, "GOFLAGS")
	if err != nil {
		return err
	}
	g.flags = linkerFlags(flags["GOFLAGS"])
	for _, pkg := range slices.Clone(g.pkgs) {
		if err := g.linkPackages(ctx, LayoutSeed(0), []goPackage{pkg}); err != nil {
			if err := g.leaveOut(pkg, err); err != nil {
				return err
			}
		}
	}
	if len(g.pkgs) == 0 {
		return g.noneBuilt()
	}
	return nil
}

// patterns are those of the packages, for messages.
func (g *gotestProgram) patterns() string {
	if only := g.plan.Target.Only; len(only) > 0 {
		return strings.Join(only, " ")
	}
	return strings.Join(packagePatterns(g.plan.Target.Packages), " ")
}

// packages lists the packages to be measured. Those of a folder that this side does not
// have are none, where the other side may have them.
func (g *gotestProgram) packages(ctx context.Context) ([]goPackage, error) {
	patterns := packagePatterns(g.plan.Target.Packages)
	if g.plan.OneSided {
		patterns = slices.DeleteFunc(slices.Clone(patterns), func(p string) bool {
			folder, _, _ := strings.Cut(p, "...")
			_, err := os.Stat(filepath.Join(g.dir, filepath.FromSlash(folder)))
			return strings.HasPrefix(p, "./") && errors.Is(err, fs.ErrNotExist)
		})
		if len(patterns) == 0 {
			return nil, nil
		}
	}
	return benchmarkPackages(ctx, g.dir, patterns, g.plan.Target.Only)
}

// packagePatterns is the target's packages, by default the whole module.
func packagePatterns(patterns []string) []string {
	if len(patterns) == 0 {
		return []string{"./..."}
	}
	return patterns
}

// benchmarkPackages lists the packages that declare a benchmark, with only those that
// match its patterns, too, if there are any. Test files are searched as text, because
// building every package's tests to ask would cost minutes in a large module.
func benchmarkPackages(ctx context.Context, dir string, patterns, only []string) ([]goPackage, error) {
	pkgs, err := listPackages(ctx, dir, packagePatterns(patterns), false)
	if err != nil {
		return nil, err
	}
	if pkgs, err = selectPackages(ctx, dir, pkgs, only); err != nil {
		return nil, err
	}
	var found []goPackage
	for _, pkg := range pkgs {
		if has, err := pkg.hasBenchmark(); err != nil {
			return nil, err
		} else if has {
			found = append(found, pkg)
		}
	}
	return found, nil
}

// listPackages lists packages. What is wrong with one of them is left to be said by its build;
// a pattern that names what is not there is an error, unless missing is all right.
func listPackages(ctx context.Context, dir string, patterns []string, missing bool) (found []goPackage, err error) {
	argv := append([]string{"go", "list", "-e", "-json=Dir,ImportPath,TestGoFiles,XTestGoFiles,Error", "--"}, patterns...)
	out, err := buildStep(ctx, "the list of packages "+strings.Join(patterns, " "), proc.Command{Argv: argv, Dir: dir})
	if err != nil {
		return nil, err
	}
	dec := json.NewDecoder(bytes.NewReader(out))
	for {
		var pkg goPackage
		if err := dec.Decode(&pkg); errors.Is(err, io.EOF) {
			return found, nil
		} else if err != nil {
			return nil, fmt.Errorf("read the list of packages: %w", err)
		}
		if pkg.Error != nil && pkg.Dir == "" && missing {
			continue
		}
		if pkg.Error != nil && pkg.Dir == "" {
			return nil, &BuildError{What: pkg.ImportPath, Err: errors.New(pkg.Error.Err)}
		}
		found = append(found, pkg)
	}
}

func (pkg *goPackage) hasBenchmark() (bool, error) {
	for _, name := range slices.Concat(pkg.TestGoFiles, pkg.XTestGoFiles) {
		text, err := os.ReadFile(filepath.Join(pkg.Dir, name))
		if err != nil {
			return false, fmt.Errorf("look for benchmarks: %w", err)
		}
		if bytes.HasPrefix(text, []byte("func Benchmark")) || bytes.Contains(text, []byte("\nfunc Benchmark")) {
			return true, nil
		}
	}
	return false, nil
}

// link builds anew the test binaries of the slots' packages, unless there is but
// one layout.
func (g *gotestProgram) link(ctx context.Context, seed uint64, slots []Slot) error {
	if !g.rotate {
		return nil
	}
	return g.linkPackages(ctx, seed, slices.DeleteFunc(slices.Clone(g.pkgs), func(pkg goPackage) bool {
		return !slices.ContainsFunc(slots, func(s Slot) bool { return s.Package == pkg.ImportPath })
	}))
}

// linkPackages builds test binaries. -trimpath and -buildvcs=false keep
// the directory and the commit's name out of them, so that the same source gives
// the same binary in the work tree and in a throw-away checkout. Without the symbol
// table and debug information, which no benchmark loads, linking takes less time;
// profiles name functions from the table that the program itself needs.
func (g *gotestProgram) linkPackages(ctx context.Context, seed uint64, pkgs []goPackage) error {
	ldflags := strings.TrimSpace(g.flags + " -s " + identity.LinkerFlag)
	if g.rotate {
		ldflags = strings.TrimSpace(ldflags + " -randlayout=" + strconv.FormatUint(seed, 10))
	}
	if !g.rotate {
		seed = LayoutSeed(0) // of what is kept: there is only one
	}
	for _, pkg := range pkgs {
		kept := g.kept(pkg, seed)
		if takeKept(kept, pkg.binary) {
			continue
		}
		argv := []string{"go", "test", "-c", "-vet=off", "-trimpath", "-buildvcs=false", "-o", pkg.binary}
		if ldflags != "" {
			argv = append(argv, "-ldflags="+ldflags)
		}
		argv = append(argv, pkg.ImportPath)
		// The go command's own temporary files must go even if it is killed.
		env := append(os.Environ(), "GOTMPDIR="+g.bin)
		if _, err := buildStep(ctx, pkg.ImportPath, proc.Command{Argv: argv, Dir: g.dir, Env: env}); err != nil {
			return err
		}
		keepBinary(pkg.binary, kept)
	}
	return nil
}

// slots asks each test binary for its benchmarks. A package whose test files
// only mention one, or exclude it by a build tag, lists nothing.
func (g *gotestProgram) slots(ctx context.Context) ([]Slot, error) {
	pat, err := parsePattern(g.plan.Bench)
	if err != nil {
		return nil, err
	}
	if len(g.pkgs) == 0 {
		return nil, &NoBenchmarksError{g.patterns()}
	}
	g.tests, g.dirs = map[string]string{}, map[string]goPackage{}
	var slots []Slot
	for _, pkg := range slices.Clone(g.pkgs) {
		g.dirs[pkg.ImportPath] = pkg
		if g.plan.Profile != "" {
			slots = append(slots, Slot{Package: pkg.ImportPath})
			continue
		}
		list := proc.Command{Argv: []string{pkg.binary, "-test.list", "^Benchmark"}, Dir: pkg.Dir}
		out, err := buildStep(ctx, "the list of benchmarks of "+pkg.ImportPath, list)
		if err != nil {
			if err := g.leaveOut(pkg, err); err != nil {
				return nil, err
			}
			continue
		}
		declared := pkg.declared()
		for line := range strings.Lines(string(out)) {
			name, ok := listedBenchmark(line, declared)
			if !ok {
				continue // a TestMain may print what it likes
			}
			if expr, ok := pat.forFunction(name); ok {
				s := Slot{Package: pkg.ImportPath, Bench: name}
				if g.tests[s.String()] != "" {
					continue // in p and in p_test: the pattern runs both in one process
				}
				g.tests[s.String()] = expr
				slots = append(slots, s)
			}
		}
	}
	if len(slots) == 0 {
		return nil, cmp.Or(g.noneBuilt(), error(&NoBenchmarksError{g.patterns() + g.plan.filterText()}))
	}
	return slots, nil
}

func (g *gotestProgram) command(s Slot) proc.Command {
	pkg := g.dirs[s.Package]
	if g.plan.Profile != "" {
		// A binary that does not know of profiles runs nothing.
		return proc.Command{Argv: []string{pkg.binary, "-test.run=^$", "-test.timeout=0"}, Dir: pkg.Dir}
	}
	return proc.Command{
		Argv: []string{pkg.binary, "-test.run=^$", "-test.bench=" + g.tests[s.String()], "-test.count=1",
			"-test.benchtime=" + g.plan.Benchtime, "-test.benchmem", "-test.timeout=0"},
		Dir: pkg.Dir,
	}
}

func (g *gotestProgram) environment(ctx context.Context) (record.Settings, error) {
	env, err := goEnv(ctx, g.dir, "GOVERSION", "GOAMD64", "GOFLAGS", "GOARCH", "GOEXPERIMENT")
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
	return append(s, record.Setting{Key: record.KeyBuildFlags, Value: performanceFlags(flags)}), nil
}

func (g *gotestProgram) format() string { return "gobench" }

func (g *gotestProgram) rotates() bool { return g.rotate }

func (g *gotestProgram) close() error {
	return errors.Join(os.RemoveAll(g.bin), g.guard.Release())
}

// goEnv asks the go command that the directory's module selects.
func goEnv(ctx context.Context, dir string, names ...string) (map[string]string, error) {
	out, err := buildStep(ctx, "the Go environment",
		proc.Command{Argv: append([]string{"go", "env", "-json"}, names...), Dir: dir})
	if err != nil {
		return nil, err
	}
	env := map[string]string{}
	if err := json.Unmarshal(out, &env); err != nil {
		return nil, fmt.Errorf("read go env: %w", err)
	}
	return env, nil
}

// linkerFlags returns the -ldflags of GOFLAGS, the last one as for the go
// command: a flag on the command line replaces the whole of it there.
func linkerFlags(goflags string) (flags string) {
	for _, f := range quotedFields(goflags) {
		if v, ok := strings.CutPrefix(strings.TrimLeft(f, "-"), "ldflags="); ok {
			flags = v
		}
	}
	return flags
}

// quotedFields splits GOFLAGS as the go command does: at spaces, a field that
// begins with a quote up to the next one of its kind.
func quotedFields(s string) (fields []string) {
	for {
		s = strings.TrimLeft(s, " \t\n\r")
		if s == "" {
			return fields
		}
		end := strings.IndexAny(s, " \t\n\r")
		if s[0] == '\'' || s[0] == '"' {
			end = strings.IndexByte(s[1:], s[0])
			if end >= 0 {
				fields = append(fields, s[1:end+1])
				s = s[end+2:]
				continue
			}
		}
		if end < 0 {
			end = len(s)
		}
		fields = append(fields, s[:end])
		s = s[end:]
	}
}

// performanceFlags drops the flags that do not change the machine code, so
// that they do not cut a history in two.
func performanceFlags(goflags string) string {
	var keep []string
	for _, f := range quotedFields(goflags) {
		name, _, _ := strings.Cut(strings.TrimLeft(f, "-"), "=")
		switch name {
		case "buildvcs", "trimpath", "mod", "modcacherw", "modfile", "v", "x", "p", "json":
			continue
		}
		keep = append(keep, f)
	}
	return strings.Join(keep, " ")
}

// HasBenchmarks reports whether the packages in dir declare any benchmark; only as in
// [config.Target].
func HasBenchmarks(ctx context.Context, dir string, patterns, only []string) (bool, error) {
	pkgs, err := benchmarkPackages(ctx, dir, patterns, only)
	return len(pkgs) > 0, err
}
