package check

import (
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/measure"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/compare/stat"
	"github.com/perftrack/perftrack/runner"
	"github.com/perftrack/perftrack/runner/build"
	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/runner/slicing"
)

// turns lets the targets of a check measure one round each in turn: the end of the
// budget, and what disturbs the machine for a minute, meets all of them alike. Only
// the one whose turn it is touches anything, this included.
type turns struct {
	waiting []chan struct{}
}

// join returns what tells the caller that its first turn has come.
func (t *turns) join() <-chan struct{} {
	turn := make(chan struct{})
	t.waiting = append(t.waiting, turn)
	return turn
}

// pass lets the others have their turns and returns when they have.
func (t *turns) pass() {
	if len(t.waiting) > 0 {
		turn := t.join()
		t.leave()
		<-turn
	}
}

// leave lets the others have their turns for good.
func (t *turns) leave() {
	if len(t.waiting) > 0 {
		next := t.waiting[0]
		t.waiting = t.waiting[1:]
		close(next)
	}
}

// run builds all targets, then measures them round by round. An error of one ends the
// others, too, unless it is that it does not build, and what was measured of all is
// stored.
func (c *check) run(ctx context.Context, targets []config.Target, sources measure.Sources) error {
	all, stop := context.WithCancel(ctx)
	defer stop()
	errs := make([]error, len(targets))
	var ended sync.WaitGroup
	for i, t := range targets {
		c.short[t.Name] = true
		turn := c.turns.join()
		ended.Go(func() {
			<-turn
			defer c.turns.leave()
			defer c.end(t.Name)
			if errs[i] = c.measure(all, t, sources); errs[i] != nil && !workspace.IsNothingToMeasure(errs[i]) && !errors.As(errs[i], new(*build.Error)) {
				stop()
			}
		})
	}
	c.turns.leave()
	ended.Wait()
	c.sort(targets)
	var unmatched, failed error
	for _, err := range errs {
		switch {
		case len(targets) > 1 && workspace.IsNothingToMeasure(err):
			unmatched = err // a filter may be meant for another target
		case ctx.Err() == nil && errors.Is(err, context.Canceled): // only because of another one
		default:
			failed = errors.Join(failed, err)
		}
	}
	if failed == nil && len(c.runs) == 0 {
		return unmatched
	}
	return failed
}

// sort puts what was measured in the order of the targets, whichever was over first.
func (c *check) sort(targets []config.Target) {
	index := func(name string) int {
		return slices.IndexFunc(targets, func(t config.Target) bool { return t.Name == name })
	}
	slices.SortStableFunc(c.runs, func(a, b *record.Run) int { return index(a.Target) - index(b.Target) })
	slices.SortStableFunc(c.stored, func(a, b measure.StoredRun) int { return index(a.Target) - index(b.Target) })
}

// measure measures a target until all of it is decided.
func (c *check) measure(ctx context.Context, t config.Target, sources measure.Sources) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := c.noise.Learn(c.of(t.Name)); err != nil {
		return err
	}
	selection := c.opt.Flags.Selection(t)
	decided, err := c.decidedAlready(ctx, t, selection)
	if err != nil || decided {
		return err
	}
	course := &course{check: c, target: t.Name, selection: selection, procs: t.Procs, ways: map[runner.Slot]slicing.Way{}, remembered: map[runner.Slot]runner.Remembered{}}
	plan := c.opt.Flags.Plan(t, 0, runner.CheckBenchtime)
	plan.Rounds = stat.CheckPlan().Last() // not the configuration's
	if plan.Part, err = c.part(ctx, t, plan.Benchtime); err != nil {
		return err
	}
	plan.Identify, plan.Share, plan.OneSided, plan.Least, plan.Chosen, plan.Remembered = true, true, true, c.least, course.ways, course.remembered
	plan.Reach, plan.Paths = !c.opt.All, !c.opt.All
	stored, err := measure.Spec{
		Session: c.session, Where: c.where, DB: c.db, Database: c.database, Target: t, Sources: sources, Trial: c.trial,
		Plan: plan, Facts: course.note, Progress: course.progress, Empty: course.settled, StoreFailure: true,
	}.Drive(ctx, func(m *measure.Measurement) error { return course.measure(ctx, m) })
	c.runs = append(c.runs, measure.Runs(stored)...)
	c.stored = append(c.stored, stored...)
	if err == nil && course.same != "" {
		c.session.Noticef("%s: %s: nothing to measure", t.Name, course.same)
	}
	return err
}

// least is the smallest change of a benchmark that matters: to the terms, which others judge by,
// and to the command line.
func (c *check) least(bench string) float64 {
	least := c.terms.Options().Threshold(bench)
	if t := c.session.Threshold; t > 0 {
		least = min(least, t)
	}
	return least
}

// overall is the progress of all targets, at this one's round.
func (c *check) overall(p runner.Progress) runner.Progress {
	p.Done, p.Total, p.Open, p.Slots = 0, 0, 0, 0
	p.Look, p.Until = stat.CheckPlan().NextLook(0), c.deadline
	for _, one := range c.progress {
		p.Done += one.Done
		p.Total += one.Total
		p.Open += one.Open
		p.Slots += one.Slots
	}
	return p
}

// end notes that a target gets no further round.
func (c *check) end(target string) {
	delete(c.short, target)
	p := c.progress[target]
	p.Total, p.Open = p.Done, 0
	c.progress[target] = p
}
