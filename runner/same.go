package runner

import (
	"context"
	"errors"
	"path/filepath"
	"slices"

	"github.com/perftrack/perftrack/runner/gotool"
	"github.com/perftrack/perftrack/runner/identity"
	"github.com/perftrack/perftrack/runner/reach"
)

// identified is a program that can say what code it measures, so that two of them can be
// compared.
type identified interface {
	// codeOf identifies all that a slot's time depends on but the machine: the
	// code and the files beside it. "" is unknown.
	codeOf(s Slot) string
}

// leaveOutSame drops the slots of a trial whose code is the same on both sides, and those that
// reach no changed code: there nothing can have become slower. What was edited, or is new, is
// measured all the same, since it may fail.
func (m *measurement) leaveOutSame(ctx context.Context) {
	if !m.Identify || len(m.programs) != 2 {
		return
	}
	base, ok1 := m.programs[0].(identified)
	head, ok2 := m.programs[1].(identified)
	if !ok1 || !ok2 {
		return
	}
	if slices.Equal(m.out.Environments[0], m.out.Environments[1]) { // else the tools may differ
		m.open = slices.DeleteFunc(m.open, func(e *entry) bool {
			code := base.codeOf(e.Slot)
			same := len(e.sides) == 2 && code != "" && code == head.codeOf(e.Slot) && !m.isShared(e)
			if same {
				m.out.Same = append(m.out.Same, e.Slot)
			}
			return same
		})
		m.leaveOutUnreached(ctx)
	}
}

// leaveOutUnreached drops the slots of which nothing that they may call, or look at, differs.
// What cannot be told of a package is measured.
func (m *measurement) leaveOutUnreached(ctx context.Context) {
	base, head := m.gotests()
	if !m.Reach || base == nil || gotool.HasFlag(base.flags, "linkshared") {
		return
	}
	var packages []string
	for _, e := range m.open {
		if len(e.sides) == 2 && !slices.Contains(packages, e.Package) {
			packages = append(packages, e.Package)
		}
	}
	if len(packages) == 0 {
		return
	}
	m.progress(Progress{Stage: "reach", Rounds: m.Rounds, What: m.Target.Name})
	b, err1 := reach.Load(ctx, base.dir, packages, overlayOf(m.programs[0]))
	h, err2 := reach.Load(ctx, head.dir, packages, overlayOf(m.programs[1]))
	if err := errors.Join(err1, err2); err != nil {
		m.reached(packages, func(Slot) []string { return []string{err.Error()} })
		return
	}
	for _, pkg := range packages {
		d, err := reach.Compare(b, h, pkg)
		if err != nil {
			m.reached([]string{pkg}, func(Slot) []string { return []string{err.Error()} })
			continue
		}
		m.open = slices.DeleteFunc(m.open, func(e *entry) bool {
			unreached := len(e.sides) == 2 && e.Package == pkg && d.Reaches(e.Bench) == "" && !m.isShared(e)
			if unreached {
				m.out.Unreached = append(m.out.Unreached, e.Slot)
			}
			return unreached
		})
		m.reached([]string{pkg}, func(s Slot) []string { return d.Path(s.Bench) })
	}
}

// reached records why what is left of packages is measured, if that was asked for.
func (m *measurement) reached(packages []string, path func(Slot) []string) {
	for _, e := range m.open {
		if m.Paths && len(e.sides) == 2 && slices.Contains(packages, e.Package) {
			m.out.Reached = append(m.out.Reached, Reached{e.Slot, path(e.Slot)})
		}
	}
}

// Reach builds the sides of a plan and says, without measuring anything, which slots would be
// measured and why: see [Outcome]. Those that no path is told of are measured whatever they reach.
func Reach(ctx context.Context, p Plan, progress func(Progress)) (out Outcome, open []Slot, err error) {
	p.Identify, p.Reach, p.Paths, p.OneSided, p.Share = true, true, true, true, true
	b, err := Build(ctx, p, progress)
	defer func() { err = errors.Join(err, b.Close()) }()
	if err != nil {
		return b.m.out, nil, err
	}
	m := b.m
	for _, e := range m.open {
		if len(e.sides) == 2 {
			open = append(open, e.Slot)
		}
	}
	return m.out, open, nil
}

// codeOf reads the binary as it was linked first, with the same layout on both
// sides.
func (g *gotestProgram) codeOf(s Slot) string {
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
		code = "" // it is measured, then
	}
	g.codes[s.Package] = code
	return code
}
