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
	"github.com/perftrack/perftrack/compare/stat"
	"github.com/perftrack/perftrack/reports/machine"
	"github.com/perftrack/perftrack/runner"
	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/store"
)

// Options says what `perftrack calibrate` measures. Zero values mean
// the target's configuration, and behind it the defaults of `perftrack check`.
type Options struct {
	Targets   []string
	Rev       string // "" is the work tree
	Bench     string
	Suite     string
	Benchtime string
	Rounds    int
	Timeout   time.Duration
	Budget    time.Duration // of the check whose resolution is asked for
	CPUs      string        // list of CPUs to pin to, or AllCPUs; "" is the configuration's
}

// CalibrateRounds are enough to know the spread of samples to 8 %, four
// blocks of what a check tests.
const CalibrateRounds = 20

// A Result is what was stored, and what it says of each target.
type Result struct {
	measure.Result
	Targets []machine.CalibratedTarget
}

// Run measures one source against itself and stores that as a trial that
// is no check. When ctx is cancelled, what was measured is stored as partial and
// returned beside the error.
func Run(ctx context.Context, a *workspace.Session, opt Options) (res Result, err error) {
	where, targets, err := a.LocateTargets(ctx, opt.CPUs, opt.Targets)
	if err != nil {
		return res, err
	}
	run := measure.Options{
		Rev: opt.Rev, Bench: opt.Bench, Suite: opt.Suite, Timeout: opt.Timeout,
		Rounds: cmp.Or(opt.Rounds, CalibrateRounds), Benchtime: opt.Benchtime,
	}
	if err := measure.CheckTargets(targets, run); err != nil {
		return res, err
	}
	db, path, closeAll, err := a.OpenForMeasuring(ctx)
	if err != nil {
		return res, err
	}
	defer func() { err = errors.Join(err, closeAll()) }()
	res.Trial = a.NewTrialID()
	unmatched, err := workspace.EachTarget(targets, func(t config.Target) error {
		run.Benchtime = cmp.Or(opt.Benchtime, t.Benchtime, runner.CheckBenchtime)
		m := &measure.Measurement{Session: a, Where: where, Target: t, Opt: run, Trial: res.Trial, Database: path}
		c := &calibration{m: m, budget: opt.Budget, families: len(targets)}
		stored, err := c.run(ctx, db)
		res.Runs = append(res.Runs, stored...)
		if len(stored) == 0 {
			return err
		}
		one, err2 := c.result(context.WithoutCancel(ctx), db, stored)
		res.Targets = append(res.Targets, one)
		return errors.Join(err, err2)
	})
	if err != nil || len(res.Runs) == 0 {
		return res, cmp.Or(err, unmatched)
	}
	return res, res.Failed()
}

// A calibration is one target's measurement against itself.
type calibration struct {
	m        *measure.Measurement
	budget   time.Duration
	families int

	began, first, end time.Time // of all, of round 1, of the last round
	rounds            int
}

// run measures and stores.
func (c *calibration) run(ctx context.Context, db *store.DB) (stored []measure.StoredRun, err error) {
	c.began = c.m.Session.Now()
	err = c.measure(ctx)
	if c.m.Recorder == nil {
		return nil, err
	}
	stored, err2 := c.m.Store(ctx, db, err == nil)
	return stored, errors.Join(err, err2)
}

func (c *calibration) measure(ctx context.Context) (err error) {
	defer func() { err = errors.Join(err, c.m.RemoveWorktrees(ctx)) }()
	if err := c.m.Prepare(ctx); err != nil {
		return err
	}
	c.twice()
	c.m.Recorder = measure.NewRecorder(c.m)
	for i := range c.m.Recorder.Headers {
		h := &c.m.Recorder.Headers[i]
		h.Facts = h.Facts.Set(record.KeyProcedure, compare.ProcedureCalibrate)
	}
	if c.m.Journal, err = c.m.Session.NewJournal(c.m.Database); err != nil {
		return err
	}
	out, err := runner.Measure(ctx, c.m.Plan, runner.Hooks{Progress: c.progress, Round: func(r runner.Round, sofar runner.Outcome) error {
		if r.Complete {
			c.rounds, c.end = c.rounds+1, c.m.Session.Now()
		}
		return c.m.Take(r, sofar)
	}})
	if out.Cleanup != nil {
		c.m.Session.Noticef("%v", out.Cleanup)
	}
	return c.m.Finish(out, err)
}

// twice makes the one source both sides. They are built twice, as the sides
// of a check are.
func (c *calibration) twice() {
	base, head := c.m.Sides[0], c.m.Sides[0]
	base.Name, head.Name = string(record.Base), string(record.Head)
	c.m.Sides = []measure.Side{base, head}
	c.m.Plan.Sides = []runner.Side{base.Side, head.Side}
}

func (c *calibration) progress(p runner.Progress) {
	if c.first.IsZero() && p.Round > 0 {
		c.first = c.m.Session.Now()
	}
	if c.m.Session.Progress != nil {
		c.m.Session.Progress(p)
	}
}

// result says what the runs tell, together with earlier calibrations.
func (c *calibration) result(ctx context.Context, db *store.DB, stored []measure.StoredRun) (machine.CalibratedTarget, error) {
	out := machine.CalibratedTarget{Target: c.m.Target.Name, Budget: c.budget, Measured: c.rounds, Alpha: c.m.Where.Config.Defaults.Alpha / float64(c.families)}
	if c.rounds > 0 {
		out.Round = c.end.Sub(c.first) / time.Duration(c.rounds)
		if out.Round > 0 {
			out.Affordable = max(0, int((c.budget-c.first.Sub(c.began))/out.Round))
		}
	}
	var runs []*record.Run
	for _, s := range stored {
		runs = append(runs, s.Run)
		out.Commit = s.Commit
	}
	base, head := comparison.SplitSides(runs)
	rows := compare.Calibrate(compare.Compare(base, head, comparison.ConfiguredOptions(c.m.Where)))
	history, err := comparison.ReadCalibrations(ctx, db, runs[0])
	for _, r := range rows {
		row := machine.CalibratedRow{Calibration: r}
		key := comparison.SeriesKeyOf(r.Row)
		shifts := history[key]
		row.Trials = len(shifts)
		noise, known := stat.NoiseFloor(shifts)
		row.Noise, row.Known = noise, known
		if !known {
			noise = 0
		}
		row.Detectable, row.Look = r.Detectable(noise, out.Alpha, len(rows), out.Affordable)
		row.Recommended = stat.RecommendedThreshold(row.Detectable)
		out.Rows = append(out.Rows, row)
	}
	slices.SortStableFunc(out.Rows, func(a, b machine.CalibratedRow) int {
		return cmp.Or(cmp.Compare(b.Detectable, a.Detectable), cmp.Compare(b.Spread, a.Spread))
	})
	return out, err
}
