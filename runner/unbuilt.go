package runner

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// An incomplete program can say which of its packages gave no benchmarks at all, and why.
type incomplete interface {
	unbuilt() []Unbuilt
}

// An Unbuilt is a package of a target that does not build, or whose test binary does
// not even list its benchmarks. The target's other packages are measured.
type Unbuilt struct {
	Side    int
	Package string
	Err     *BuildError
}

// Reason is what went wrong, on one line: the first of the compiler's lines.
func (u Unbuilt) Reason() string {
	var lines []string
	for line := range strings.Lines(u.Err.Output) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "# ") || line == "FAIL" || strings.HasPrefix(line, "FAIL\t") {
			continue
		}
		if lines = append(lines, line); len(lines) == 3 {
			break
		}
	}
	if len(lines) == 0 {
		return u.Err.Err.Error()
	}
	return strings.Join(lines, "; ")
}

// leaveOut notes a package that does not build, unless the user asked for benchmarks
// that it does not have. Every other error is the whole target's.
func (g *gotestProgram) leaveOut(pkg goPackage, err error) error {
	var build *BuildError
	if !errors.As(err, &build) {
		return err
	}
	g.pkgs = slices.DeleteFunc(g.pkgs, func(p goPackage) bool { return p.ImportPath == pkg.ImportPath })
	pat, err := parsePattern(g.plan.Bench)
	if err != nil {
		return err
	}
	wanted := func(name string) bool { _, ok := pat.forFunction(name); return ok }
	if g.plan.Profile != "" || slices.ContainsFunc(pkg.declared(), wanted) {
		g.broken = append(g.broken, Unbuilt{Package: pkg.ImportPath, Err: build})
	}
	return nil
}

func (g *gotestProgram) unbuilt() []Unbuilt { return g.broken }

// noneBuilt is the error of a target of which nothing that was asked for builds, nil if there is
// nothing of the kind.
func (g *gotestProgram) noneBuilt() error {
	switch len(g.broken) {
	case 0:
		return nil
	case 1:
		return g.broken[0].Err
	}
	var errs []error
	for _, u := range g.broken {
		errs = append(errs, u.Err)
	}
	return errors.Join(errs...)
}

var benchmarkDeclaration = regexp.MustCompile(`(?m)^func Benchmark(\w*)\s*\(`)

// declared returns the names of the benchmark functions in the text of the package's
// tests, without the prefix Benchmark. Some may be commented out.
func (pkg *goPackage) declared() (names []string) {
	for _, file := range slices.Concat(pkg.TestGoFiles, pkg.XTestGoFiles) {
		text, err := os.ReadFile(filepath.Join(pkg.Dir, file))
		if err != nil {
			continue // the go command has said so
		}
		for _, m := range benchmarkDeclaration.FindAllSubmatch(text, -1) {
			names = append(names, string(m[1]))
		}
	}
	return names
}

// leaveOutUnbuilt notes the packages that are missing on the i-th side.
func (m *measurement) leaveOutUnbuilt(i int, prog program) {
	if some, ok := prog.(incomplete); ok {
		for _, u := range some.unbuilt() {
			u.Side = i
			m.out.Unbuilt = append(m.out.Unbuilt, u)
		}
	}
}

// dropUnpaired takes the slots of those packages out where the other side has them: what
// has nothing to be compared with is not worth measuring.
func (m *measurement) dropUnpaired() {
	m.open = slices.DeleteFunc(m.open, func(e entry) bool {
		return slices.ContainsFunc(m.out.Unbuilt, func(u Unbuilt) bool { return u.Package == e.Package })
	})
}

// selectPackages leaves those of the packages that match the patterns, too, if there are
// any. Those that a pattern names need not be there, as they may be on the other side alone.
func selectPackages(ctx context.Context, dir string, pkgs []goPackage, only []string) ([]goPackage, error) {
	if len(only) == 0 {
		return pkgs, nil
	}
	chosen, err := listPackages(ctx, dir, only, true)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(pkgs, func(p goPackage) bool {
		return !slices.ContainsFunc(chosen, func(c goPackage) bool { return c.ImportPath == p.ImportPath })
	}), nil
}
