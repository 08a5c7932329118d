package measure

import (
	"context"
	"errors"
	"hash/fnv"
	"io"
	"iter"
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/compare/stat"
	"github.com/perftrack/perftrack/runner"
	"github.com/perftrack/perftrack/runner/program"
)

// A Measurement is a built target together with the recording of its measurement. Its driver may
// move the runs to another trial, add facts to them, and wait for its turn to measure before it
// iterates over the rounds.
type Measurement struct {
	*runner.Measurement // nil until the sides are built
	*Recording          // nil until the sides are checked out
	journal             *workspace.Journal
	turn                func() // ends the turn to measure, or nil
	warm                bool   // whether the first stretch has warmed up
}

// TakeTurn waits until no other perftrack is measuring, unless this measurement already has its
// turn or does not need one. See [workspace.Session.TakeTurn] for begins.
func (m *Measurement) TakeTurn(ctx context.Context, begins func(waited time.Duration) (ends time.Time)) (err error) {
	if m.turn == nil && !m.spec.Counts {
		m.turn, err = m.spec.Session.TakeTurn(ctx, begins)
	}
	return err
}

// WarmUp takes the turn to measure and warms up. See [runner.Measurement.WarmUp].
func (m *Measurement) WarmUp(ctx context.Context, warms func(program.Slot) bool, going func(s program.Slot, done, all int) bool) ([]runner.Warm, error) {
	if err := m.TakeTurn(ctx, nil); err != nil {
		return nil, err
	}
	return m.Measurement.WarmUp(ctx, warms, going)
}

// Rounds takes the turn to measure and yields each round once it is safe in the journal. See
// [runner.Measurement.Rounds].
func (m *Measurement) Rounds(ctx context.Context, s runner.Schedule) iter.Seq2[runner.Round, error] {
	return func(yield func(runner.Round, error) bool) {
		if err := m.TakeTurn(ctx, nil); err != nil {
			yield(runner.Round{}, err)
			return
		}
		for r, err := range m.Measurement.Rounds(ctx, s) {
			if e := m.keep(r); e != nil {
				r, err = runner.Round{}, errors.Join(err, e)
			}
			if !yield(r, err) || err != nil {
				return
			}
		}
	}
}

// All measures all rounds.
func (m *Measurement) All(ctx context.Context, s runner.Schedule) error {
	for _, err := range m.Rounds(ctx, s) {
		if err != nil {
			return err
		}
	}
	return nil
}

// keep records a round and writes it to the journal.
func (m *Measurement) keep(r runner.Round) error {
	if len(r.Samples) == 0 {
		return nil
	}
	sofar := m.Outcome()
	m.noteEdited(sofar)
	runs, err := m.add(r, sofar, m.spec.Session.Now())
	if err != nil {
		return err
	}
	return m.journal.Write(runs)
}

// EndTurn lets others measure, until this measurement takes its next turn.
func (m *Measurement) EndTurn() {
	if m.turn != nil {
		m.turn()
		m.turn = nil
	}
}

// plan returns the plan of the spec, completed with the sides and the settings of the machine.
func (m *Measurement) plan() runner.Plan {
	s := m.spec
	p := s.Plan
	p.Target, p.CPUs, p.Engine, p.BaseFirst = s.Target, s.Where.CPUs, s.Session.Engine, m.baseFirst
	p.Isolate = p.Isolate || s.Where.Config.Defaults.Isolate
	for _, side := range m.sides {
		p.Sides = append(p.Sides, side.Source)
	}
	if p.Least == nil {
		p.Least = s.Where.Config.Threshold
		if least := s.Session.Threshold; least > 0 {
			p.Least = func(string) float64 { return least }
		}
	}
	return p
}

// baseFirst decides at random whether the base comes first in a pair. The decision depends only on
// the trial, the slot and the round, so it is the same when a trial is continued.
func (m *Measurement) baseFirst(s program.Slot, round int) bool {
	h := fnv.New64a()
	_, _ = io.WriteString(h, m.spec.Trial) // writing to a hash never fails
	return stat.Coin(h.Sum64(), s.String(), round)
}
