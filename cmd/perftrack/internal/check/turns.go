package check

import (
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/measure"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/runner"
	"github.com/perftrack/perftrack/runner/build"
	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/record"
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
func (c *check) run(ctx context.Context, targets []config.Target, opt measure.Options) error {
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
			defer c.over(t.Name)
			if errs[i] = c.measure(all, t, opt); errs[i] != nil && !workspace.IsNothingToMeasure(errs[i]) && !errors.As(errs[i], new(*build.Error)) {
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
func (c *check) measure(ctx context.Context, t config.Target, opt measure.Options) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := c.noise.Learn(c.of(t.Name)); err != nil {
		return err
	}
	if decided, err := c.decidedAlready(ctx, t, opt.Selection(t)); err != nil || decided {
		return err
	}
	m := &measure.Measurement{Session: c.session, Where: c.where, Target: t, Opt: opt, Trial: c.trial, Database: c.database, Pairs: true}
	m.Course = &checking{check: c, m: m}
	stored, err := m.Run(ctx, c.db)
	if m.Recorder != nil {
		c.inProcesses += m.Recorder.Outcome.InProcesses
	}
	if err != nil && len(stored) == 0 && !workspace.IsNothingToMeasure(err) && ctx.Err() == nil && m.Recorder != nil {
		failed, err2 := c.storeFailed(context.WithoutCancel(ctx), m, err)
		stored, err = failed, errors.Join(err, err2)
	}
	for _, s := range stored {
		c.runs = append(c.runs, s.Run)
	}
	c.stored = append(c.stored, stored...)
	if err == nil && m.Recorder != nil && !m.Recorder.Any() && len(m.Recorder.Outcome.Same) > 0 {
		c.session.Noticef("%s: the same machine code on both sides: nothing to measure", t.Name)
	}
	return err
}

// storeFailed stores both sides of a target of which nothing could be measured, so that
// whoever reads the trial without this target's samples does not take it for untouched.
func (c *check) storeFailed(ctx context.Context, m *measure.Measurement, cause error) (stored []measure.StoredRun, err error) {
	env, err := runner.Environment(ctx, m.Target, c.where.ModuleDir(), c.where.CPUs)
	if err != nil {
		env = nil // it is the environment that is at fault
	}
	failing := record.Head
	if side := new(runner.SideError); errors.As(cause, &side) {
		failing, cause = record.Side(side.Side), side.Err
	}
	failures := []record.Failure{{Reason: fault.FirstLine(cause)}}
	if builds := buildErrors(cause); len(builds) > 0 {
		failures = nil
		for _, b := range builds {
			failures = append(failures, record.Failure{Benchmark: b.What, Reason: record.NotBuilt + runner.Unbuilt{Err: b}.Reason()})
		}
	}
	for i := range m.Recorder.Headers {
		r := m.Recorder.Headers[i]
		r.Status = record.Failed
		for _, s := range env {
			r.Env = r.Env.Set(s.Key, s.Value)
		}
		if r.Side == failing {
			for _, f := range failures {
				r.AddFailure(f.Benchmark, f.Reason)
			}
		}
		id, _, err := c.db.Put(ctx, &r)
		if err != nil {
			return stored, fault.IO(err)
		}
		stored = append(stored, measure.StoredRun{ID: id, Run: &r})
	}
	return stored, nil
}

// buildErrors returns what did not build, of errors that may be joined.
func buildErrors(err error) (found []*build.Error) {
	var joined interface{ Unwrap() []error }
	if errors.As(err, &joined) {
		for _, e := range joined.Unwrap() {
			found = append(found, buildErrors(e)...)
		}
	}
	var one *build.Error
	if len(found) == 0 && errors.As(err, &one) {
		found = append(found, one)
	}
	return found
}

// Hooks are those of a target's measurement.
func (c *checking) Hooks() runner.Hooks {
	target := c.m.Target.Name
	return runner.Hooks{
		Built: func(out runner.Outcome) (first, rounds int, err error) {
			if first, rounds, err = c.built(out); err == nil {
				c.pass()
			}
			return first, rounds, err
		},
		Open: c.wants,
		Round: func(r runner.Round, sofar runner.Outcome) error {
			err := c.m.Take(r, sofar)
			if err == nil && r.Complete {
				err = c.finished(r.N)
			}
			if err == nil {
				c.pass()
			}
			return err
		},
		Progress: func(p runner.Progress) {
			c.began(p)
			if c.m.Session.Progress != nil {
				c.check.progress[target] = p
				c.m.Session.Progress(c.check.overall(p))
			}
		},
	}
}

// overall is the progress of all targets, at this one's round.
func (c *check) overall(p runner.Progress) runner.Progress {
	p.Done, p.Total, p.Open, p.Slots = 0, 0, 0, 0
	for _, one := range c.progress {
		p.Done += one.Done
		p.Total += one.Total
		p.Open += one.Open
		p.Slots += one.Slots
	}
	return p
}

// over notes that nothing more comes of a target.
func (c *check) over(target string) {
	delete(c.short, target)
	p := c.progress[target]
	p.Total, p.Open = p.Done, 0
	c.progress[target] = p
}
