package check

import (
	"context"
	"errors"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/measure"
	"github.com/perftrack/perftrack/compare/stat"
	"github.com/perftrack/perftrack/runner"
	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/runner/slicing"
)

// A course decides, while one target is measured, after which rounds which of its
// benchmarks need no more.
type course struct {
	check      *check
	target     config.Target
	first      []*record.Run               // its first round, of what there is
	shown      runner.Progress             // its last progress
	benchmarks int                         // that are measured, as far as it is known
	shared     int                         // of them by the same test files on both sides
	chosen     map[runner.Slot]slicing.Way // how earlier checks of the trial measured what they did
	remembered map[runner.Slot]runner.Remembered
	reach      map[runner.Slot]nearness // of benchmark functions
	plan       budgetPlan
	agenda     agenda
	laps       laps
	pace       pace
	short      bool // no look could have flagged anything yet
	end        end
}

// An end is the end of the budget.
type end struct {
	asked bool // whether there is time for the round that begins
	came  bool // there was none
	left  int  // slots that got no further round because of that
}

// newCourse is the course of a target of which nothing is measured yet.
func newCourse(c *check, t config.Target) *course {
	return &course{
		check: c, target: t, short: true, chosen: map[runner.Slot]slicing.Way{}, remembered: map[runner.Slot]runner.Remembered{},
	}
}

// run measures the target until all of it is decided. Pass lets the others have their turns.
func (c *course) run(ctx context.Context, sources measure.Sources, pass func() error) error {
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

// runnerPlan says how the target is measured.
func (c *course) runnerPlan(ctx context.Context) (plan runner.Plan, err error) {
	k := c.check
	plan = k.opt.Flags.Plan(c.target, 0, runner.CheckBenchtime)
	plan.Rounds = stat.CheckPlan().Last() // not the configuration's
	if plan.Part, err = k.part(ctx, c.target, plan.Benchtime); err != nil {
		return plan, err
	}
	plan.Identify, plan.Share, plan.OneSided, plan.Least, plan.Chosen, plan.Remembered = true, true, true, k.least, c.chosen, c.remembered
	plan.Reach, plan.Paths = !k.opt.All, !k.opt.All
	return plan, nil
}

// measure goes through the rounds. The others have their turns after the build, before the warm-up and after
// each round.
func (c *course) measure(ctx context.Context, m *measure.Measurement, pass func() error) error {
	if err := pass(); err != nil { // the others build
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

// measured notes what a round brought, and decides what is due after it.
func (c *course) measured(m *measure.Measurement, r runner.Round) error {
	if out := m.Outcome(); len(out.Shared) != c.shared { // the warm-up took one back
		c.noteCoverage(m.Recording, out)
	}
	if err := c.noteFirst(m.Recording); err != nil || !r.Complete {
		return err
	}
	return c.finished(m.Recording, r.N)
}

// progress notes when rounds begin, and shows where all targets are.
func (c *course) progress(p runner.Progress) {
	if c.pace.progress(p, c.check.session.Now(), c.check.began) {
		c.end.asked = false
	}
	if c.check.session.Progress != nil {
		p.Slots -= len(c.plan.left) // they are not decided
		c.shown = p
		c.check.session.Progress(c.check.overall(p))
	}
}

// over notes that the target gets no further round.
func (c *course) over() {
	c.short = false
	c.shown.Total, c.shown.Open = c.shown.Done, 0
}
