package measure

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"slices"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/compare/stat"
	"github.com/perftrack/perftrack/runner"
	"github.com/perftrack/perftrack/runner/build"
	"github.com/perftrack/perftrack/runner/record"
)

// A StoredRun is a run and its public id.
type StoredRun struct {
	ID string
	*record.Run
}

// Runs returns the runs without their ids.
func Runs(stored []StoredRun) []*record.Run {
	var runs []*record.Run
	for _, s := range stored {
		runs = append(runs, s.Run)
	}
	return runs
}

// Measure checks the sources out, measures, stores the runs and removes what was checked
// out. It is the only place that does. What was measured before an error, ctx's
// cancellation included, is stored as partial and returned beside it.
func (s Spec) Measure(ctx context.Context) (stored []StoredRun, err error) {
	m := &measurement{Spec: s, release: func() {}}
	defer func() { m.release() }()
	err = s.Checkout(ctx, func(sides []Side) error { return m.measure(ctx, sides) })
	if m.rec == nil {
		return nil, err
	}
	stored, err2 := m.store(ctx, err == nil)
	err = errors.Join(err, err2)
	tells := s.StoreFailure || s.FailedApart && isUnbuilt(err) && !m.dirty()
	if tells && err != nil && len(stored) == 0 && !workspace.IsNothingToMeasure(err) && ctx.Err() == nil {
		stored, err2 = m.storeFailure(context.WithoutCancel(ctx), err)
		err = errors.Join(err, err2)
	}
	return stored, err
}

// A measurement is one call of [Spec.Measure].
type measurement struct {
	Spec
	sides   []Side
	rec     *Recording // nil before the sides are checked out
	journal *workspace.Journal
	release func() // of the turn to measure
}

func (m *measurement) measure(ctx context.Context, sides []Side) (err error) {
	m.sides = sides
	m.rec = newRecording(&m.Spec, sides)
	if m.journal, err = m.Session.NewJournal(m.Database); err != nil {
		return err
	}
	out, err := runner.Measure(ctx, m.plan(), m.hooks(ctx))
	if out.Cleanup != nil {
		m.Session.Noticef("%v", out.Cleanup)
	}
	return m.finish(out, err)
}

// plan completes the plan by what it is carried out with.
func (m *measurement) plan() runner.Plan {
	p := m.Plan
	p.Target, p.CPUs, p.Engine, p.BaseFirst = m.Target, m.Where.CPUs, m.Session.Engine, m.baseFirst
	p.Isolate = p.Isolate || m.Where.Config.Defaults.Isolate
	for _, s := range m.sides {
		p.Sides = append(p.Sides, s.Source)
	}
	if p.Least == nil {
		p.Least = m.Where.Config.Threshold
		if least := m.Session.Threshold; least > 0 {
			p.Least = func(string) float64 { return least }
		}
	}
	return p
}

// baseFirst is the coin of a pair, which depends on the trial alone, so that a
// trial that is continued goes on with the same coin.
func (m *measurement) baseFirst(s runner.Slot, round int) bool {
	h := fnv.New64a()
	_, _ = io.WriteString(h, m.Trial) // to a hash: never fails
	return stat.Coin(h.Sum64(), s.String(), round)
}

func (m *measurement) hooks(ctx context.Context) runner.Hooks {
	h := runner.Hooks{Progress: m.Session.Progress, Open: m.Hooks.Open, Needed: m.Hooks.Needed, Choosing: m.Hooks.Choosing, Warms: m.Hooks.Warms, Warming: m.Hooks.Warming, Warmed: m.Hooks.Warmed, Round: m.round}
	if m.Hooks.Progress != nil {
		h.Progress = m.Hooks.Progress
	}
	h.Built = func(out runner.Outcome) (first, rounds int, err error) {
		m.rec.noteEdited(out)
		first, rounds = m.Plan.First, m.Plan.Rounds
		if m.Hooks.Built != nil {
			first, rounds, err = m.Hooks.Built(m.rec, out)
		}
		if err == nil && !m.Counts {
			if m.Hooks.Waits != nil {
				m.Hooks.Waits()
			}
			m.release, err = m.Session.TakeTurn(ctx, m.Hooks.Turn)
		}
		return first, rounds, err
	}
	return h
}

// round records a round that was measured, and writes it to the journal.
func (m *measurement) round(r runner.Round, sofar runner.Outcome) error {
	m.rec.noteEdited(sofar)
	runs, err := m.rec.add(r, sofar, m.Session.Now())
	if err != nil {
		return err
	}
	if err := m.journal.Write(runs); err != nil || m.Hooks.Round == nil {
		return err
	}
	return m.Hooks.Round(m.rec, r)
}

// finish says what was left out, and gives the measurement's error its class.
func (m *measurement) finish(out runner.Outcome, err error) error {
	m.rec.outcome = out
	if m.Hooks.Ended != nil {
		err = m.Hooks.Ended(m.rec, out, err)
	}
	for _, f := range out.Failures {
		if f.Reason == runner.Skipped {
			m.Session.Noticef("%s %s", f.Slot, f.Reason)
		}
	}
	for _, u := range out.Unbuilt {
		m.Session.Noticef("%s%s", m.sideText(u.Side), u.Err)
	}
	var failed *build.Error
	switch {
	case errors.As(err, &failed):
		return fault.Build(err)
	case workspace.IsNothingToMeasure(err):
		return fault.Usage(err)
	case err != nil:
		return err
	case m.rec.Any() || m.Hooks.Empty != nil && m.Hooks.Empty(out):
		return nil
	case m.Hooks.Empty == nil && len(out.Unbuilt) > 0:
		return fault.Build(fmt.Errorf("target %s: nothing was measured, because %s was not built", m.Target.Name, unbuiltPackages(out.Unbuilt)))
	}
	return fault.Build(fmt.Errorf("target %s gave no sample%s", m.Target.Name, failureText(out.Failures)))
}

// sideText begins a message about a side of a trial.
func (m *measurement) sideText(i int) string {
	if name := m.sides[i].Source.Name; name != "" {
		return name + ": "
	}
	return ""
}

func unbuiltPackages(unbuilt []runner.Unbuilt) string {
	var names []string
	for _, u := range unbuilt {
		if !slices.Contains(names, u.Package) {
			names = append(names, u.Package)
		}
	}
	return fault.SomeOf(names, ", ")
}

func failureText(failures []runner.Failure) string {
	var s string
	for i, f := range failures {
		if i == 5 {
			return s + fmt.Sprintf("\n  and %d more", len(failures)-i)
		}
		s += fmt.Sprintf("\n  %s: %s", f.Slot, f.Reason)
	}
	return s
}

// store stores what was recorded and gives up the journal. Whole says that the
// measurement came to its end.
func (m *measurement) store(ctx context.Context, whole bool) (stored []StoredRun, err error) {
	runs, err := m.rec.runs(whole)
	if err != nil { // the journal stays
		return nil, fault.Data(err)
	}
	if m.FailedApart {
		runs = failedApart(runs)
	}
	for _, r := range runs {
		id, _, err := m.DB.Put(context.WithoutCancel(ctx), r)
		if err != nil {
			if m.journal != nil {
				err = fmt.Errorf("%w: %s", err, m.journal.Kept())
			}
			return stored, fault.IO(err)
		}
		stored = append(stored, StoredRun{id, r})
	}
	if m.journal == nil {
		return stored, nil
	}
	return stored, m.journal.Close()
}
