package calibrate

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/comparison"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/measure"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/pairs"
	"github.com/perftrack/perftrack/compare/stat"
	"github.com/perftrack/perftrack/reports/machine"
	"github.com/perftrack/perftrack/runner"
	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/record"
)

// Options describes a measurement by `perftrack calibrate`.
type Options struct {
	Targets []string
	Rev     string        // "" means the work tree
	Budget  time.Duration // budget of the check whose resolution is estimated
	Flags   measure.Flags // the defaults are those of `perftrack check`, except for Rounds
}

// Rounds is the default number of rounds: four blocks of a check's test, enough to estimate the
// spread of samples to within 8 %.
const Rounds = 20

// A Result contains the stored runs and, for each target, the noise of its benchmarks.
type Result struct {
	Runs    []measure.StoredRun
	Trial   string
	Targets []machine.CalibratedTarget
}

// Run measures a source against itself and stores the result as a trial, but not as a check. If ctx
// is cancelled, the samples so far are stored as partial and returned with the error.
func Run(ctx context.Context, a *workspace.Session, opt Options) (res Result, err error) {
	where, targets, err := a.LocateTargets(ctx, opt.Flags.CPUs, opt.Flags.Procs, opt.Targets)
	if err != nil {
		return res, err
	}
	sources := measure.Sources{Rev: opt.Rev, Twice: true}
	if err := sources.CheckTargets(targets); err != nil {
		return res, err
	}
	if err := opt.Flags.CheckBench(ctx, where, targets, opt.Rev); err != nil {
		return res, err
	}
	db, path, err := a.OpenForWriting(ctx)
	if err != nil {
		return res, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	res.Trial = a.NewTrialID()
	flags := opt.Flags
	flags.Rounds = cmp.Or(flags.Rounds, Rounds) // ignores the target's number
	unmatched, err := workspace.EachTarget(targets, func(t config.Target) error {
		c := &calibration{budget: opt.Budget, families: max(len(targets), a.CountTargets(ctx, where))} // as in a check
		c.spec = measure.Spec{
			Session: a, Where: where, DB: db, Database: path, Target: t, Sources: sources, Trial: res.Trial,
			Plan: flags.Plan(t, Rounds, runner.CheckBenchtime),
			Facts: func(r *record.Run) {
				r.Protocol.Procedure = pairs.ProcedureCalibrate
			},
			Progress: c.progress,
		}
		c.began = a.Now()
		stored, err := c.spec.Drive(ctx, func(m *measure.Measurement) error { return c.measure(ctx, m) })
		res.Runs = append(res.Runs, stored...)
		if len(stored) == 0 {
			return err
		}
		one, err2 := c.result(context.WithoutCancel(ctx), stored)
		res.Targets = append(res.Targets, one)
		return errors.Join(err, err2)
	})
	if err != nil || len(res.Runs) == 0 {
		return res, cmp.Or(err, unmatched)
	}
	return res, measure.Failed(res.Runs)
}

// A calibration is the measurement of one target against itself.
type calibration struct {
	spec     measure.Spec
	budget   time.Duration
	families int

	began, first, end time.Time // start of the calibration, start of round 1 and end of the last round
	rounds            int
}

// turn excludes the time spent waiting for another measurement, because a check's budget does not
// include it.
func (c *calibration) turn(waited time.Duration) (ends time.Time) {
	c.began = c.began.Add(waited)
	return ends
}

func (c *calibration) progress(p runner.Progress) {
	if c.first.IsZero() && p.Round > 0 {
		c.first = c.spec.Session.Now()
	}
	if c.spec.Session.Progress != nil {
		c.spec.Session.Progress(p)
	}
}

func (c *calibration) measure(ctx context.Context, m *measure.Measurement) error {
	if err := m.TakeTurn(ctx, c.turn); err != nil {
		return err
	}
	for _, err := range m.Rounds(ctx, runner.Schedule{}) {
		if err != nil {
			return err
		}
		c.rounds, c.end = c.rounds+1, c.spec.Session.Now()
	}
	return nil
}

// result returns the noise shown by the runs and by earlier calibrations.
func (c *calibration) result(ctx context.Context, stored []measure.StoredRun) (machine.CalibratedTarget, error) {
	out := machine.CalibratedTarget{Target: c.spec.Target.Name, Budget: c.budget, Measured: c.rounds, Alpha: c.spec.Where.Config.Defaults.Alpha / float64(c.families)}
	if c.rounds > 0 {
		out.Round = c.end.Sub(c.first) / time.Duration(c.rounds)
		if out.Round > 0 {
			out.Affordable = max(0, int((c.budget-c.first.Sub(c.began))/out.Round))
		}
	}
	runs := measure.Runs(stored)
	out.Commit = runs[len(runs)-1].Commit
	base, head := comparison.SplitSides(runs)
	rows := compare.Calibrate(compare.Compare(base, head, comparison.ConfiguredOptions(c.spec.Where)))
	history, err := comparison.ReadCalibrations(ctx, c.spec.DB, runs[0])
	for _, r := range rows {
		row := machine.CalibratedRow{Calibration: r}
		key := comparison.SeriesKeyOf(r.Row)
		all := history[key]
		row.Trials, row.Capped = len(all.Shifts), all.Off.Capped()
		noise, known := stat.NoiseFloor(all.Shifts)
		row.Noise, row.Known = noise, known
		if !known {
			noise = 0
		}
		row.Detectable, row.Look = r.Detectable(noise, row.Capped, out.Alpha, len(rows), out.Affordable)
		row.Recommended = stat.RecommendedThreshold(row.Detectable)
		out.Rows = append(out.Rows, row)
	}
	slices.SortStableFunc(out.Rows, func(a, b machine.CalibratedRow) int {
		return cmp.Or(cmp.Compare(b.Detectable, a.Detectable), cmp.Compare(b.Spread, a.Spread))
	})
	return out, err
}
