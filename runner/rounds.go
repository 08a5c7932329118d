package runner

import (
	"context"
	"errors"
	"iter"
	"slices"

	"github.com/perftrack/perftrack/runner/naming"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/runner/slicing"
)

// A Measurement is a plan whose sides are built. Its caller drives it: first the warm-up, then
// the rounds, and [Measurement.Close] at the end.
type Measurement struct{ m *measurement }

// A Schedule answers what a measurement has to know in the middle of its rounds. What is nil is
// not asked.
type Schedule struct {
	// Open says whether the slot needs more samples. After the warm-up it is asked for
	// each benchmark of a function, as far as their names are known. Nil: every round.
	Open func(Slot) bool
	// Needed says up to which round what is open in this one is sure to be measured:
	// so far binaries are linked ahead. Nil is all rounds without Open, else this one.
	Needed func(round int) (last int)
	// Choosing is asked before each choice of how an open slot is measured in slices, and says
	// whether there is time for it, how long it may take, and a round of all that is open. Fresh
	// processes measure what is left. Nil is always, and as long as usual.
	Choosing func() (affords slicing.Affords, ok bool)
}

// Build builds every side of a plan. Progress, unless it is nil, is called before anything is
// built or linked, and before each process. Also beside an error the measurement has an
// outcome, and is to be closed.
func Build(ctx context.Context, p Plan, progress func(Progress)) (*Measurement, error) {
	m := &measurement{Plan: p, tell: progress, facts: make([]record.Settings, len(p.Sides)), env: p.childEnvironment()}
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

// Close removes what was built. An error says nothing about the samples.
func (b *Measurement) Close() (err error) {
	for _, prog := range b.m.programs {
		err = errors.Join(err, prog.close())
	}
	return err
}

// Outcome is what the measurement was until now.
func (b *Measurement) Outcome() Outcome { return b.m.outcome() }

// Code identifies, before the first round, the machine code of all that is measured of a side, and
// the files beside it: where two commits have the same in one environment, neither can be
// slower. "" is unknown.
func (b *Measurement) Code(side int) string { return b.m.code(side) }

// Number sets the number of the first round, and how many there are to be, in place of the plan's.
func (b *Measurement) Number(first, rounds int) { b.m.First, b.m.Plan.Rounds = first, rounds }

// WarmUp measures once, for no round, the slots that warms selects, and returns what it found. A slot
// that is not selected gets no round either. Before each of them going is asked, with how many of all
// are over, whether there is time for the rest: if not, the measurement ends, as there would be
// none for a round. A nil warms selects all, and a nil going always has the time.
func (b *Measurement) WarmUp(ctx context.Context, warms func(Slot) bool, going func(s Slot, done, all int) bool) ([]Warm, error) {
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

// Rounds measures until all rounds are done or no slot is open, and yields each round that has samples as it
// ends. All is warmed up first where [Measurement.WarmUp] was not called. Within a round a slot's
// sides run back to back in an order that a coin decides, so that drift of the machine meets both
// alike. An error, ctx's cancellation included, comes last, beside the round that it cut short: what
// was measured of it counts.
func (b *Measurement) Rounds(ctx context.Context, s Schedule) iter.Seq2[Round, error] {
	return func(yield func(Round, error) bool) {
		m := b.m
		m.schedule = s
		if !m.warm {
			if _, err := b.WarmUp(ctx, nil, nil); err != nil {
				yield(Round{}, err)
				return
			}
		}
		for n := 1; n <= m.Plan.Rounds && len(m.open) > 0; n++ {
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
	if err := m.chooseWays(ctx); err != nil {
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

// measureOpen measures each open slot once, in round n or in the warm-up, which is 0, and leaves those
// open that may be run again: none where it does not go on.
func (m *measurement) measureOpen(ctx context.Context, n int, r *Round, going func(s Slot, done, all int) bool) error {
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
