package runner

import (
	"context"
	"errors"
	"iter"
	"slices"

	"github.com/perftrack/perftrack/runner/naming"
	"github.com/perftrack/perftrack/runner/program"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/runner/slicing"
)

// A Measurement is a plan whose sides are built. The caller first runs the warm-up, then the
// rounds, and finally calls [Measurement.Close].
type Measurement struct{ m *measurement }

// A Schedule holds functions that a measurement calls between rounds. Each may be nil.
type Schedule struct {
	// Open reports whether a slot needs more samples. After the warm-up, it is called for each
	// known sub-benchmark. If Open is nil, every slot is measured in every round.
	Open func(program.Slot) bool
	// Reopen means that Open may return true for a slot after it has returned false.
	Reopen bool
	// Needed returns the last round that is certain to include the slots open in the given round.
	// It limits how far to link ahead. If Needed is nil, the limit is the given round if Open is
	// set, and otherwise the plan's last round.
	Needed func(round int) (last int)
	// Choosing is called each time before a method is chosen for a slot. It reports whether there
	// is time for the choice, and returns the time available for it and for a round of all open
	// slots. If there is no time, the slot gets its remembered method if it still fits, and
	// otherwise fresh processes. If Choosing is nil, there is always time, within the usual limits.
	Choosing func() (affords slicing.Affords, ok bool)
}

// Build builds every side of a plan. If progress is not nil, Build and the methods of the
// Measurement call it before each build, each link and each process. Even if Build returns an
// error, the Measurement has an outcome and must be closed.
func Build(ctx context.Context, p Plan, progress func(Progress)) (*Measurement, error) {
	m := &measurement{Plan: p, tell: progress, facts: make([]record.Settings, len(p.Sides)), env: p.ChildEnvironment()}
	m.out.Processes = make([][]record.Process, len(p.Sides))
	b := &Measurement{m}
	var err error
	if m.pattern, err = naming.ParsePattern(p.Bench); err != nil {
		return b, err
	}
	if err := m.build(ctx); err != nil {
		return b, err
	}
	m.slots = len(m.open)
	m.whole = m.wholeReason()
	return b, nil
}

// Close removes everything that was built. An error does not affect the samples.
func (b *Measurement) Close() (err error) {
	for _, prog := range b.m.programs {
		err = errors.Join(err, prog.Close())
	}
	return err
}

// Outcome returns the outcome so far.
func (b *Measurement) Outcome() Outcome { return b.m.outcome() }

// Code returns a hash of the machine code of the open benchmarks on a side and of the files beside
// it. It must be called before the first round. Two commits with the same hash in the same
// environment are equally fast. Code returns "" if the hash is unknown.
func (b *Measurement) Code(side int) string { return b.m.code(side) }

// Number sets the number of the first round and the total number of rounds.
func (b *Measurement) Number(first, rounds int) { b.m.First, b.m.Plan.Rounds = first, rounds }

// WarmUp measures each slot for which warms returns true once, outside of any round, and returns a
// description of these slots. The other slots are not measured in rounds either. Before each slot,
// WarmUp calls going with the number of slots finished so far and the number of all slots. going
// reports whether there is time for the remaining slots. If it returns false, the measurement ends,
// because there would be no time for a round either. A nil warms selects all slots, and a nil going
// means that there is always time.
func (b *Measurement) WarmUp(ctx context.Context, warms func(program.Slot) bool, going func(s program.Slot, done, all int) bool) ([]Warm, error) {
	m := b.m
	m.warm = true
	if warms != nil {
		m.open = slices.DeleteFunc(m.open, func(e *entry) bool { return !warms(e.Slot) })
		m.left = len(m.open) < m.slots
	}
	if err := m.measureOpen(ctx, 0, &Round{}, going); err != nil {
		return nil, err
	}
	if len(m.open) == 0 {
		return nil, m.nothing()
	}
	if err := m.splitSlots(ctx); err != nil {
		return nil, err
	}
	return m.warmed(), nil
}

// Rounds measures until all rounds are done or no slot is open, and yields each round with samples.
// It runs the warm-up first unless [Measurement.WarmUp] was called. Within a round, the sides of a
// slot run one after the other in random order, so a drift in the machine's speed affects both
// alike. An error, including that of ctx, comes last, together with the interrupted round, whose
// samples are valid.
func (b *Measurement) Rounds(ctx context.Context, s Schedule) iter.Seq2[Round, error] {
	return func(yield func(Round, error) bool) {
		m := b.m
		m.schedule = s
		if !m.warm {
			if _, err := b.WarmUp(ctx, nil, nil); err != nil {
				if m.cut == nil {
					m.cut = &Round{}
				}
				yield(*m.cut, err)
				return
			}
		}
		for n := 1; n <= m.Plan.Rounds && len(m.open)+m.reopens() > 0; n++ {
			r, err := m.round(ctx, n)
			if err == nil && len(r.Samples) == 0 {
				continue
			}
			if !yield(r, err) || err != nil {
				return
			}
		}
	}
}

// round measures one round.
func (m *measurement) round(ctx context.Context, n int) (Round, error) {
	r := Round{N: m.number(n)}
	if m.schedule.Open != nil {
		m.askOpen()
	}
	if err := m.chooseMethods(ctx); err != nil {
		return r, err
	}
	if len(m.open) > 0 {
		if err := m.link(ctx, n); err != nil {
			return r, err
		}
	}
	if err := m.measureOpen(ctx, n, &r, nil); err != nil {
		return r, err
	}
	r.Complete = true
	if len(r.Samples) > 0 {
		m.out.Rounds++
	}
	return r, nil
}

// measureOpen measures each open slot once, in round n or in the warm-up (0), and closes slots that
// must not run again. It closes all slots if going returns false.
func (m *measurement) measureOpen(ctx context.Context, n int, r *Round, going func(s program.Slot, done, all int) bool) error {
	var still []*entry
	all := len(m.open)
	for k, e := range m.open {
		if going != nil && !going(e.Slot, k, all) {
			m.open, m.left = nil, true
			return nil
		}
		ok, err := m.measureSlot(ctx, e, r, m.plannedAfter(k, n))
		if err != nil {
			m.open = append(still, m.open[k:]...)
			return err
		}
		if ok {
			still = append(still, e)
		}
	}
	m.open = append(still, m.added...)
	m.added = nil
	return nil
}
