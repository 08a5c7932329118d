package runner

import (
	"context"
	"slices"

	"github.com/perftrack/perftrack/runner/program"
)

// A Shared is a benchmark, edited or new in head, measured with the same test files on both sides.
// Both sides then run the same benchmark with different code.
type Shared struct {
	Slot  program.Slot
	Tests int  // the side that the test files come from
	New   bool // only head has the benchmark
}

// shareTests makes both sides measure edited and new benchmarks with the same test files. It builds
// head's test files with the code of base. Where that fails, it builds base's test files with the
// code of head, unless the benchmark is new. It records the benchmarks measured this way, and the
// edited benchmarks that build in neither combination.
func (m *measurement) shareTests(ctx context.Context) error {
	base, head := m.gotests()
	if !m.Share || m.Profile != "" || base == nil || base.HasFlag("overlay") {
		return nil
	}
	var edited, added []*entry
	for _, e := range m.open {
		switch b, h := base.SourceOf(e.Slot), head.SourceOf(e.Slot); {
		case len(e.sides) == 2 && b != "" && h != "" && b != h:
			edited = append(edited, e)
		case len(e.sides) == 1 && e.sides[0] == 1:
			added = append(added, e)
		}
	}
	if err := m.lend(ctx, 0, slices.Concat(edited, added)); err != nil {
		return err
	}
	edited = slices.DeleteFunc(edited, m.isShared)
	if err := m.lend(ctx, 1, edited); err != nil {
		return err
	}
	for _, e := range slices.DeleteFunc(edited, m.isShared) {
		m.out.Rewritten = append(m.out.Rewritten, e.Slot)
	}
	return nil
}

func (m *measurement) isShared(e *entry) bool {
	return slices.ContainsFunc(m.out.Shared, func(s Shared) bool { return s.Slot == e.Slot })
}

// gotests returns the two sides' programs with their own test files, or nil if the target is of
// another kind.
func (m *measurement) gotests() (base, head *program.Gotest) {
	if len(m.programs) != 2 {
		return nil, nil
	}
	if base, head = program.OwnTests(m.programs[0]), program.OwnTests(m.programs[1]); head == nil {
		return nil, nil
	}
	return base, head
}

// lend builds the packages of the entries on one side with the other side's test files. The
// packages that build then measure the entries on the given side.
func (m *measurement) lend(ctx context.Context, side int, entries []*entry) error {
	own := [2]*program.Gotest{}
	own[0], own[1] = m.gotests()
	var packages []string
	for _, e := range entries {
		if !slices.Contains(packages, e.Package) {
			packages = append(packages, e.Package)
		}
	}
	b, slots, err := own[side].Borrow(ctx, own[1-side], packages, m.Sides[side].Throwaway, func() {
		m.progress(Progress{Stage: "build", Rounds: m.Rounds, What: sideText(m.Sides[side], m.Target.Name) + " with the tests of " + m.Sides[1-side].Name})
	})
	if err != nil || b == nil {
		return err
	}
	m.programs[side] = b // closes the side's own program, too
	for _, s := range slots {
		i := slices.IndexFunc(m.open, func(e *entry) bool { return e.Slot == s })
		if i < 0 || m.lends(s) {
			continue
		}
		e := m.open[i]
		if len(e.sides) == 1 && (side == 1 || e.sides[0] == 0) {
			continue // a benchmark missing in head is not compared, even if base's test files build
		}
		b.Lend(s)
		if slices.Contains(entries, e) {
			m.out.Shared = append(m.out.Shared, Shared{Slot: s, Tests: 1 - side, New: len(e.sides) == 1})
		}
		e.sides = []int{0, 1}
	}
	return nil
}

// lends reports whether either side already measures the slot with the other side's test files.
func (m *measurement) lends(s program.Slot) bool {
	return slices.ContainsFunc(m.programs, func(p program.Program) bool {
		b, ok := p.(*program.Borrower)
		return ok && b.Lends(s)
	})
}

// dropUnmeasured removes benchmarks from Outcome.Rewritten if they do not need to be measured.
func (m *measurement) dropUnmeasured() {
	m.out.Rewritten = slices.DeleteFunc(m.out.Rewritten, func(s program.Slot) bool {
		return !slices.ContainsFunc(m.open, func(e *entry) bool { return e.Slot == s })
	})
}

// takeBack is called if a benchmark failed in the warm-up. If side ran it with the other side's
// test files, takeBack makes each side use its own test files for it again, and returns true. A new
// benchmark is then treated as missing in base, and an edited one as not comparable.
func (m *measurement) takeBack(e *entry, side int) bool {
	b, ok := m.programs[side].(*program.Borrower)
	i := slices.IndexFunc(m.out.Shared, func(s Shared) bool { return s.Slot == e.Slot && s.Tests != side })
	if !ok || i < 0 {
		return false
	}
	was := m.out.Shared[i]
	b.TakeBack(e.Slot)
	m.out.Shared = slices.Delete(m.out.Shared, i, i+1)
	if was.New {
		e.sides = []int{1}
		m.out.Lacking[0] = append(m.out.Lacking[0], e.Slot)
	} else {
		m.out.Rewritten = append(m.out.Rewritten, e.Slot)
	}
	return true
}
