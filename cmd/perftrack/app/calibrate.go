package app

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/runner"
	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/store"
)

// CalibrateOptions says what `perftrack calibrate` measures. Zero values mean
// the target's configuration, and behind it the defaults of `perftrack check`.
type CalibrateOptions struct {
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

// A CalibrateResult is what was stored, and what it says of each target.
type CalibrateResult struct {
	RunResult
	Targets []reports.CalibratedTarget
}

// Calibrate measures one source against itself and stores that as a trial that
// is no check. When ctx is cancelled, what was measured is stored as partial and
// returned beside the error.
func Calibrate(ctx context.Context, a *App, opt CalibrateOptions) (res CalibrateResult, err error) {
	where, targets, err := a.standing(ctx, opt.CPUs, opt.Targets)
	if err != nil {
		return res, err
	}
	run := RunOptions{
		Rev: opt.Rev, Bench: opt.Bench, Suite: opt.Suite, Timeout: opt.Timeout,
		Rounds: cmp.Or(opt.Rounds, CalibrateRounds), Benchtime: opt.Benchtime,
	}
	if err := checkTargets(targets, run); err != nil {
		return res, err
	}
	db, path, closeAll, err := a.openMeasuring(ctx)
	if err != nil {
		return res, err
	}
	defer func() { err = errors.Join(err, closeAll()) }()
	res.Trial = a.newTrial()
	unmatched, err := eachTarget(targets, func(t config.Target) error {
		run.Benchtime = cmp.Or(opt.Benchtime, t.Benchtime, runner.CheckBenchtime)
		m := &measuring{session: a, where: where, target: t, opt: run, trial: res.Trial, database: path}
		c := &calibrating{m: m, budget: opt.Budget, families: len(targets)}
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
	return res, res.failed()
}

// A calibrating is one target's measurement against itself.
type calibrating struct {
	m        *measuring
	budget   time.Duration
	families int

	began, first, end time.Time // of all, of round 1, of the last round
	rounds            int
}

// run measures and stores.
func (c *calibrating) run(ctx context.Context, db *store.DB) (stored []StoredRun, err error) {
	c.began = c.m.session.Now()
	err = c.measure(ctx)
	if c.m.recorder == nil {
		return nil, err
	}
	stored, err2 := c.m.store(ctx, db, err == nil)
	return stored, errors.Join(err, err2)
}

func (c *calibrating) measure(ctx context.Context) (err error) {
	defer func() { err = errors.Join(err, c.m.removeWorktrees(ctx)) }()
	if err := c.m.prepare(ctx); err != nil {
		return err
	}
	c.twice()
	c.m.recorder = newRecorder(c.m)
	for i := range c.m.recorder.headers {
		h := &c.m.recorder.headers[i]
		h.Facts = h.Facts.Set(record.KeyProcedure, compare.ProcedureCalibrate)
	}
	if c.m.journal, err = c.m.session.newJournal(c.m.database); err != nil {
		return err
	}
	out, err := runner.Measure(ctx, c.m.plan, runner.Hooks{Progress: c.progress, Round: func(r runner.Round, sofar runner.Outcome) error {
		if r.Complete {
			c.rounds, c.end = c.rounds+1, c.m.session.Now()
		}
		return c.m.take(r, sofar)
	}})
	if out.Cleanup != nil {
		c.m.session.notice("%v", out.Cleanup)
	}
	return c.m.finish(out, err)
}

// twice makes the one source both sides. They are built twice, as the sides
// of a check are.
func (c *calibrating) twice() {
	base, head := c.m.sides[0], c.m.sides[0]
	base.Name, head.Name = string(record.Base), string(record.Head)
	c.m.sides = []side{base, head}
	c.m.plan.Sides = []runner.Side{base.Side, head.Side}
}

func (c *calibrating) progress(p runner.Progress) {
	if c.first.IsZero() && p.Round > 0 {
		c.first = c.m.session.Now()
	}
	if c.m.session.Progress != nil {
		c.m.session.Progress(p)
	}
}

// result says what the runs tell, together with earlier calibrations.
func (c *calibrating) result(ctx context.Context, db *store.DB, stored []StoredRun) (reports.CalibratedTarget, error) {
	out := reports.CalibratedTarget{Target: c.m.target.Name, Budget: c.budget, Measured: c.rounds, Alpha: c.m.where.config.Defaults.Alpha / float64(c.families)}
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
	base, head := trialSides(runs)
	rows := compare.Calibrate(compare.Compare(base, head, optionsAt(c.m.where)))
	history, err := calibrationHistory(ctx, db, runs[0])
	for _, r := range rows {
		row := reports.CalibratedRow{Calibration: r}
		key := calibrationKey(r.Row)
		shifts := history[key]
		row.Trials = len(shifts)
		noise, known := compare.NoiseFloor(shifts)
		row.Noise, row.Known = noise, known
		if !known {
			noise = 0
		}
		row.Detectable, row.Look = r.Detectable(noise, out.Alpha, len(rows), out.Affordable)
		row.Recommended = compare.RecommendedThreshold(row.Detectable)
		out.Rows = append(out.Rows, row)
	}
	slices.SortStableFunc(out.Rows, func(a, b reports.CalibratedRow) int {
		return cmp.Or(cmp.Compare(b.Detectable, a.Detectable), cmp.Compare(b.Spread, a.Spread))
	})
	return out, err
}
