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
)

// A Measurement is a target that is built, with the recording of what is measured of it. Who drives it
// may put its runs into another trial and note facts on them, wait for the turn to measure, and
// then goes through the rounds.
type Measurement struct {
	*runner.Measurement // nil before the sides are built
	*Recording          // nil before they are checked out
	journal             *workspace.Journal
	turn                func() // ends the turn to measure; nil before there is one
}

// TakeTurn waits until no other perftrack measures, unless that was done before. Begins is told how long the wait
// took and returns when this measurement ends at the latest: see [workspace.Session.TakeTurn].
func (m *Measurement) TakeTurn(ctx context.Context, begins func(waited time.Duration) (ends time.Time)) (err error) {
	if m.turn == nil && !m.spec.Counts {
		m.turn, err = m.spec.Session.TakeTurn(ctx, begins)
	}
	return err
}

// WarmUp warms up, in the turn to measure: see [runner.Measurement.WarmUp].
func (m *Measurement) WarmUp(ctx context.Context, warms func(runner.Slot) bool, going func(s runner.Slot, done, all int) bool) ([]runner.Warm, error) {
	if err := m.TakeTurn(ctx, nil); err != nil {
		return nil, err
	}
	return m.Measurement.WarmUp(ctx, warms, going)
}

// Rounds measures in the turn to measure, and yields each round when it is safe in the journal: see
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

// keep records a round, and writes it to the journal.
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

// release ends the turn to measure.
func (m *Measurement) release() {
	if m.turn != nil {
		m.turn()
	}
}

// plan completes the plan by what it is carried out with.
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

// baseFirst is the coin of a pair, which depends on the trial alone, so that a
// trial that is continued goes on with the same coin.
func (m *Measurement) baseFirst(s runner.Slot, round int) bool {
	h := fnv.New64a()
	_, _ = io.WriteString(h, m.spec.Trial) // to a hash: never fails
	return stat.Coin(h.Sum64(), s.String(), round)
}
