package program

import (
	"errors"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/runner/build"
	"github.com/perftrack/perftrack/runner/gotool"
	"github.com/perftrack/perftrack/runner/naming"
)

// An Unbuilt is a package of a target that does not build, or whose test binary fails to list its
// benchmarks. The target's other packages are still measured.
type Unbuilt struct {
	Side    int
	Package string
	Err     *build.Error
}

// Reason returns the cause on one line, taken from the compiler's first lines.
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

// leaveOut removes a package that does not build, and records it if it declares a selected
// benchmark. If err is not a build error, leaveOut returns it, because it affects the whole target.
func (g *Gotest) leaveOut(pkg gotool.Package, err error) error {
	var failed *build.Error
	if !errors.As(err, &failed) {
		return err
	}
	g.pkgs = slices.DeleteFunc(g.pkgs, func(p gotool.Package) bool { return p.ImportPath == pkg.ImportPath })
	pat, err := naming.ParsePattern(g.plan.Bench)
	if err != nil {
		return err
	}
	wanted := func(name string) bool { _, ok := pat.ForFunction(name, 1); return ok }
	if g.plan.Profile != "" || slices.ContainsFunc(pkg.Declared(), wanted) {
		g.broken = append(g.broken, Unbuilt{Package: pkg.ImportPath, Err: failed})
	}
	return nil
}

func (g *Gotest) Unbuilt() []Unbuilt { return g.broken }

// noneBuilt returns the build errors of a target in which no package builds, or nil if no package
// failed to build.
func (g *Gotest) noneBuilt() error {
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
