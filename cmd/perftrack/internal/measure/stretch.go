package measure

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/runner"
	"github.com/perftrack/perftrack/runner/record"
)

// A Stretch is a number of consecutive rounds of a trial, measured on one machine. Other machines
// may measure the rounds before and after it.
type Stretch struct {
	First, Last int           // numbers of the rounds in the trial
	Within      time.Duration // begin no further round after this time; 0 means no limit
}

// DriveApart is like [Spec.Drive], but stores nothing: drive takes the runs of each stretch with
// [Measurement.Measure]. If the target cannot be measured, failed has a run of each side with the
// reason, in addition to the error.
func (s Spec) DriveApart(ctx context.Context, drive func(*Measurement) error) (failed []*record.Run, err error) {
	m := &Measurement{}
	defer m.EndTurn()
	err = s.Checkout(ctx, func(sides []Side) error {
		m.Recording = newRecording(&s, sides)
		return classified(m.drive(ctx, drive))
	})
	if elsewhere := new(NoDirectoryError); s.BothSides && errors.As(err, &elsewhere) {
		sides := s.uncheckedSides(ctx)
		m.Recording = newRecording(&s, sides)
		cause := err
		if elsewhere.Commit == sides[0].Commit.SHA {
			cause = &runner.SideError{Side: string(record.Base), Err: err}
		}
		return m.failedRuns(context.WithoutCancel(ctx), cause), err
	}
	if m.Recording != nil && (isUnbuilt(err) || s.BothSides && workspace.IsNothingToMeasure(err)) {
		failed = m.failedRuns(context.WithoutCancel(ctx), err)
	}
	return failed, err
}

// uncheckedSides returns both sides of a trial without their sources, to record that these cannot
// be had.
func (s Spec) uncheckedSides(ctx context.Context) []Side {
	sides := make([]Side, 2)
	for i, rev := range []string{s.Sources.Beside, s.Sources.Rev} {
		if c, err := s.Where.Repo.Resolve(ctx, rev); err == nil { // it was resolved before
			sides[i].Commit = CommitOf(c)
		}
	}
	return sides
}

// Measure measures a stretch and returns its runs, which have the rounds of this stretch only, and
// its last round, which is earlier than asked for if the time was up. It measures at least one round.
// Before the first stretch it warms up. It takes a turn to measure, and ends it.
func (m *Measurement) Measure(ctx context.Context, s Stretch, schedule runner.Schedule) (runs []*record.Run, last int, err error) {
	if err := m.TakeTurn(ctx, nil); err != nil {
		return nil, 0, err
	}
	defer m.EndTurn()
	if !m.warm {
		if _, err := m.WarmUp(ctx, nil, nil); err != nil {
			return nil, 0, err
		}
		m.warm = true
	}
	began := m.spec.Session.Now()
	m.Recording = newRecording(m.spec, m.sides)
	m.NoteCoverage(m.Outcome())
	before := m.Outcome().Methods
	m.Number(s.First, s.Last-s.First+1)
	for r, e := range m.Measurement.Rounds(ctx, schedule) {
		if len(r.Samples) > 0 && r.Complete {
			_, e2 := m.add(r, m.Outcome(), m.spec.Session.Now())
			e, last = errors.Join(e, e2), r.N
		}
		if err = e; err != nil {
			return nil, 0, err
		}
		if s.Within > 0 && m.spec.Session.Now().Sub(began) >= s.Within {
			break
		}
	}
	if last == 0 { // every benchmark is decided, left out or failed
		last = s.Last
	}
	m.Recording.outcome = m.Outcome()
	m.Recording.outcome.Methods = sinceThen(m.Recording.outcome.Methods, before)
	runs, err = m.runs(true)
	return runs, last, err
}

// sinceThen returns the methods with the numbers of rounds measured since before.
func sinceThen(now, before []record.Method) []record.Method {
	now = slices.Clone(now)
	for i, m := range now {
		for _, b := range before {
			if b.Package == m.Package && b.Name == m.Name {
				now[i].Sliced -= b.Sliced
				now[i].Fresh -= b.Fresh
			}
		}
	}
	return now
}
