package measure

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/runner"
	"github.com/perftrack/perftrack/runner/build"
	"github.com/perftrack/perftrack/runner/program"
	"github.com/perftrack/perftrack/runner/record"
)

// A StoredRun is a run with its id in the database.
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

// Measure measures everything in the plan. See [Spec.Drive].
func (s Spec) Measure(ctx context.Context) ([]StoredRun, error) {
	return s.Drive(ctx, func(m *Measurement) error { return m.All(ctx, runner.Schedule{}) })
}

// Drive checks out the sources, builds them, calls drive to measure them, stores the runs and
// removes the checkouts. If there is an error, including that of ctx, it stores the samples so far
// as partial runs and returns them with the error.
func (s Spec) Drive(ctx context.Context, drive func(*Measurement) error) (stored []StoredRun, err error) {
	m := &Measurement{}
	defer m.EndTurn()
	err = s.Checkout(ctx, func(sides []Side) error {
		m.Recording = newRecording(&s, sides)
		return m.measure(ctx, drive)
	})
	if m.Recording == nil {
		return nil, err
	}
	stored, err2 := m.store(ctx, err == nil)
	err = errors.Join(err, err2)
	tells := s.StoreFailure || s.SplitFailed && isUnbuilt(err) && !m.dirty()
	if tells && err != nil && len(stored) == 0 && !workspace.IsNothingToMeasure(err) && ctx.Err() == nil {
		stored, err2 = m.storeFailure(context.WithoutCancel(ctx), err)
		err = errors.Join(err, err2)
	}
	return stored, err
}

func (m *Measurement) measure(ctx context.Context, drive func(*Measurement) error) (err error) {
	if m.journal, err = m.spec.Session.NewJournal(m.spec.Database); err != nil {
		return err
	}
	err = m.drive(ctx, drive)
	return m.finish(m.Outcome(), err)
}

// drive builds the sides, calls drive to measure them, and removes the builds.
func (m *Measurement) drive(ctx context.Context, drive func(*Measurement) error) (err error) {
	progress := m.spec.Progress
	if progress == nil {
		progress = m.spec.Session.Progress
	}
	m.Measurement, err = runner.Build(ctx, m.plan(), progress)
	defer func() {
		if err := m.Close(); err != nil {
			m.spec.Session.Noticef("%v", err)
		}
	}()
	if err != nil {
		return err
	}
	m.noteEdited(m.Outcome())
	return drive(m)
}

// finish prints notices about omissions and classifies the error of the measurement.
func (m *Measurement) finish(out runner.Outcome, err error) error {
	m.outcome = out
	for _, f := range out.Failures {
		if f.Reason == runner.Skipped {
			m.spec.Session.Noticef("%s %s", f.Slot, f.Reason)
		}
	}
	for _, u := range out.Unbuilt {
		m.spec.Session.Noticef("%s%s", m.sideText(u.Side), u.Err)
	}
	switch {
	case err != nil:
		return classified(err)
	case m.Any() || m.spec.Empty != nil && m.spec.Empty(out):
		return nil
	case m.spec.Empty == nil && len(out.Unbuilt) > 0:
		return fault.Build(fmt.Errorf("target %s: nothing was measured, because %s could not be built", m.spec.Target.Name, unbuiltPackages(out.Unbuilt)))
	}
	return fault.Build(fmt.Errorf("target %s produced no samples%s", m.spec.Target.Name, failureText(out.Failures)))
}

// classified returns the error of a measurement with its kind.
func classified(err error) error {
	switch {
	case errors.As(err, new(*build.Error)):
		return fault.Build(err)
	case workspace.IsNothingToMeasure(err):
		return fault.Usage(err)
	}
	return err
}

// sideText returns the beginning of a message about a side of a trial, or "" outside a trial.
func (m *Measurement) sideText(i int) string {
	if name := m.sides[i].Source.Name; name != "" {
		return name + ": "
	}
	return ""
}

func unbuiltPackages(unbuilt []program.Unbuilt) string {
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

// store stores the recorded runs and removes the journal. whole reports whether the measurement was
// finished.
func (m *Measurement) store(ctx context.Context, whole bool) (stored []StoredRun, err error) {
	runs, err := m.runs(whole)
	if err != nil { // the journal stays
		return nil, fault.Data(err)
	}
	if m.spec.SplitFailed {
		runs = splitFailed(runs)
	}
	for _, r := range runs {
		id, _, err := m.spec.DB.Put(context.WithoutCancel(ctx), r)
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
