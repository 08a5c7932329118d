package runner

import (
	"errors"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/runner/build"
	"github.com/perftrack/perftrack/runner/gotool"
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
	Err     *build.Error
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
func (g *gotestProgram) leaveOut(pkg gotool.Package, err error) error {
	var failed *build.Error
	if !errors.As(err, &failed) {
		return err
	}
	g.pkgs = slices.DeleteFunc(g.pkgs, func(p gotool.Package) bool { return p.ImportPath == pkg.ImportPath })
	pat, err := parsePattern(g.plan.Bench)
	if err != nil {
		return err
	}
	wanted := func(name string) bool { _, ok := pat.forFunction(name); return ok }
	if g.plan.Profile != "" || slices.ContainsFunc(pkg.Declared(), wanted) {
		g.broken = append(g.broken, Unbuilt{Package: pkg.ImportPath, Err: failed})
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
