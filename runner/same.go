package runner

import (
	"context"
	"errors"
	"slices"

	"github.com/perftrack/perftrack/runner/program"
	"github.com/perftrack/perftrack/runner/reach"
)

// identified is a program that can identify the code that it measures, so that two sides can be
// compared.
type identified interface {
	// CodeOf returns a hash of the machine code and the files that may affect a slot's time. It
	// returns "" if the hash is unknown.
	CodeOf(s program.Slot) string
}

// leaveOutSame removes the slots of a trial with the same code on both sides, and the slots that
// reach no changed code, because they cannot have become slower. Edited and new benchmarks are
// still measured, because they may fail.
func (m *measurement) leaveOutSame(ctx context.Context) {
	if !m.Identify || len(m.programs) != 2 {
		return
	}
	base, ok1 := m.programs[0].(identified)
	head, ok2 := m.programs[1].(identified)
	if !ok1 || !ok2 {
		return
	}
	if slices.Equal(m.out.Environments[0], m.out.Environments[1]) { // otherwise the toolchains may differ
		m.open = slices.DeleteFunc(m.open, func(e *entry) bool {
			code := base.CodeOf(e.Slot)
			same := len(e.sides) == 2 && code != "" && code == head.CodeOf(e.Slot) && !m.isShared(e)
			if same {
				m.out.Same = append(m.out.Same, e.Slot)
			}
			return same
		})
		m.leaveOutUnreached(ctx)
	}
}

// leaveOutUnreached removes the slots that can reach no code and no files that differ between the
// sides. If this is unknown for a slot, the slot is measured.
func (m *measurement) leaveOutUnreached(ctx context.Context) {
	base, head := m.gotests()
	if !m.Reach || base == nil || base.HasFlag("linkshared") {
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
	b, err1 := reach.Load(ctx, base.Dir(), packages, program.OverlayOf(m.programs[0]))
	h, err2 := reach.Load(ctx, head.Dir(), packages, program.OverlayOf(m.programs[1]))
	if err := errors.Join(err1, err2); err != nil {
		m.reached(packages, func(program.Slot) []string { return []string{err.Error()} })
		return
	}
	for _, pkg := range packages {
		d, err := reach.Compare(b, h, pkg)
		if err != nil {
			m.reached([]string{pkg}, func(program.Slot) []string { return []string{err.Error()} })
			continue
		}
		m.open = slices.DeleteFunc(m.open, func(e *entry) bool {
			unreached := len(e.sides) == 2 && e.Package == pkg && d.Reaches(e.Bench) == "" && !m.isShared(e)
			if unreached {
				m.out.Unreached = append(m.out.Unreached, e.Slot)
			}
			return unreached
		})
		m.reached([]string{pkg}, func(s program.Slot) []string { return d.Path(s.Bench) })
	}
}

// reached records why the remaining slots of the given packages are measured, if the plan requests
// it.
func (m *measurement) reached(packages []string, path func(program.Slot) []string) {
	for _, e := range m.open {
		if m.Paths && len(e.sides) == 2 && slices.Contains(packages, e.Package) {
			m.out.Reached = append(m.out.Reached, Reached{e.Slot, path(e.Slot)})
		}
	}
}

// Reach builds the sides of a plan and returns the slots that would be measured, without measuring
// them. The reasons why they would be measured are in the [Outcome]. Slots without a reason are
// measured in any case.
func Reach(ctx context.Context, p Plan, progress func(Progress)) (out Outcome, open []program.Slot, err error) {
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
