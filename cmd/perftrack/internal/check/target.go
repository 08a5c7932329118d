package check

import (
	"context"
	"errors"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/measure"
	"github.com/perftrack/perftrack/compare/stat"
	"github.com/perftrack/perftrack/runner"
)

// run measures the target until all of its benchmarks are decided. It calls pass to let the other
// targets take their turns.
func (c *targetCheck) run(ctx context.Context, sources measure.Sources, pass func() error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	k := c.check
	if err := k.noise.Learn(c.before()); err != nil {
		return err
	}
	if decided, err := c.decidedAlready(ctx); err != nil || decided {
		return err
	}
	plan, err := c.runnerPlan(ctx)
	if err != nil {
		return err
	}
	same := ""
	stored, err := measure.Spec{
		Session: k.session, Where: k.where, DB: k.db, Database: k.database, Target: c.target, Sources: sources, Trial: k.trial.id,
		Plan: plan, Facts: c.note, Progress: c.progress, Empty: c.settled, StoreFailure: true,
	}.Drive(ctx, func(m *measure.Measurement) error {
		err := c.measure(ctx, m, pass)
		same = c.ended(m)
		return err
	})
	k.trial.runs = append(k.trial.runs, measure.Runs(stored)...)
	k.stored = append(k.stored, stored...)
	if err == nil && same != "" {
		k.session.Noticef("%s: %s: nothing to measure", c.target.Name, same)
	}
	return err
}

// runnerPlan returns the runner's plan for the target.
func (c *targetCheck) runnerPlan(ctx context.Context) (plan runner.Plan, err error) {
	k := c.check
	plan = k.opt.Flags.Plan(c.target, 0, runner.CheckBenchtime)
	plan.Rounds = stat.CheckPlan().Last() // not the number in the configuration
	if plan.Part, err = k.part(ctx, c.target, plan.Benchtime); err != nil {
		return plan, err
	}
	plan.Identify, plan.Share, plan.OneSided, plan.Least, plan.Chosen, plan.Remembered = true, true, true, k.least, c.chosen, c.remembered
	plan.Reach, plan.Paths = !k.opt.All, !k.opt.All
	return plan, nil
}

// measure runs the rounds. The other targets take their turns after the build, before the warm-up
// and after each round.
func (c *targetCheck) measure(ctx context.Context, m *measure.Measurement, pass func() error) error {
	if err := pass(); err != nil { // the other targets build
		return err
	}
	if err := c.check.takeTurn(ctx); err != nil {
		return err
	}
	first, rounds, err := c.built(ctx, m)
	if err != nil {
		return err
	}
	m.Number(first, rounds)
	if err := pass(); err != nil {
		return err
	}
	warm, err := m.WarmUp(ctx, c.agenda.warms, c.warming)
	if err != nil {
		return err
	}
	c.warmed(warm)
	needed := func(round int) int { return stat.CheckPlan().NextLook(round - 1) }
	for r, err := range m.Rounds(ctx, runner.Schedule{Open: c.wants, Needed: needed, Choosing: c.choosing}) {
		if len(r.Samples) > 0 {
			e := c.measured(m, r)
			if e == nil {
				e = pass()
			}
			err = errors.Join(err, e)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// measured records a round. If a look is due afterwards, it decides which slots need further
// rounds.
func (c *targetCheck) measured(m *measure.Measurement, r runner.Round) error {
	if out := m.Outcome(); len(out.Shared) != c.shared { // the warm-up dropped a shared benchmark
		c.noteCoverage(m.Recording, out)
	}
	if err := c.noteFirst(m.Recording); err != nil || !r.Complete {
		return err
	}
	return c.finished(m.Recording, r.N)
}

// progress records when rounds begin, and shows the progress of all targets.
func (c *targetCheck) progress(p runner.Progress) {
	if c.pace.progress(p, c.check.session.Now(), c.check.began) {
		c.end.asked = false
	}
	if c.check.session.Progress != nil {
		p.Slots -= len(c.plan.left) // these will not be decided
		c.shown = p
		c.check.session.Progress(c.check.overall(p))
	}
}

// over marks the target as finished.
func (c *targetCheck) over() {
	c.short = false
	c.shown.Total, c.shown.Open = c.shown.Done, 0
}
