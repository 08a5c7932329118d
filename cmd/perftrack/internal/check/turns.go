package check

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"runtime/debug"
	"slices"
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/measure"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/compare/stat"
	"github.com/perftrack/perftrack/runner"
	"github.com/perftrack/perftrack/runner/build"
	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/record"
)

// run builds all targets and then measures them in turns of one round each, so the end of the
// budget or a short disturbance affects all of them alike. If a target fails with an error other
// than a failed build, the other targets end, too. The samples of all targets are stored.
func (c *check) run(ctx context.Context, sources measure.Sources) error {
	all, stop := context.WithCancel(ctx)
	defer stop()
	errs := make([]error, len(c.targets))
	var turns []turn
	for i, t := range c.targets {
		one := newTargetCheck(c, t)
		c.targetChecks = append(c.targetChecks, one)
		next, end := iter.Pull(one.turns(all, sources, func(err error) {
			if errs[i] = err; err != nil && !workspace.IsNothingToMeasure(err) && !errors.As(err, new(*build.Error)) {
				stop()
			}
		}))
		defer end()
		turns = append(turns, turn{one, next})
	}
	takeTurns(turns)
	c.sort()
	return c.failed(ctx, errs)
}

// turns measures the target and yields whenever the other targets may take their turns. It passes
// its error to ended.
func (c *targetCheck) turns(ctx context.Context, sources measure.Sources, ended func(error)) iter.Seq[struct{}] {
	return func(yield func(struct{}) bool) {
		defer func() {
			if p := recover(); p != nil { // the panic would lose its stack on the way through iter.Pull
				panic(fmt.Sprintf("%v\n\n%s", p, debug.Stack()))
			}
		}()
		ended(c.run(ctx, sources, func() error {
			if !yield(struct{}{}) {
				return context.Canceled
			}
			return nil
		}))
		c.over()
	}
}

// A turn is a target in the queue of takeTurns.
type turn struct {
	check *targetCheck
	next  func() (struct{}, bool) // lets the target continue until it yields, and reports whether it yielded
}

// takeTurns lets the targets take turns until all have finished. A target past its first useful
// look lets the others go first, so they get the rest of the budget.
func takeTurns(waiting []turn) {
	for len(waiting) > 0 {
		first := waiting[0]
		waiting = waiting[1:]
		yields := !first.check.short && slices.ContainsFunc(waiting, func(t turn) bool { return t.check.short })
		if !yields {
			if _, ok := first.next(); !ok {
				continue
			}
		}
		waiting = append(waiting, first)
	}
}

// takeTurn waits, after the builds, until no other perftrack is measuring. The wait does not count
// against the budget. Runs of the same commits measured in the meantime belong to the trial, as if
// this check had begun after them, because they may have spent part of the error rate.
func (c *check) takeTurn(ctx context.Context) (err error) {
	if c.release != nil {
		return nil
	}
	long := false
	c.release, err = c.session.TakeTurn(ctx, func(waited time.Duration) time.Time {
		long = waited > 0
		return c.waited(waited)
	})
	c.measures = c.session.Now()
	c.grant()
	if err != nil || !long {
		return err
	}
	if err := c.chooseTrial(ctx); err != nil {
		return err
	}
	for _, t := range c.targets {
		if err := c.noise.Learn(c.trial.of(t.Name)); err != nil {
			return err
		}
	}
	return nil
}

// failed returns the error of the check, given the errors of its targets.
func (c *check) failed(ctx context.Context, errs []error) error {
	var unmatched, failed error
	for _, err := range errs {
		switch {
		case len(errs) > 1 && workspace.IsNothingToMeasure(err):
			unmatched = err // the filter may be meant for another target
		case ctx.Err() == nil && errors.Is(err, context.Canceled): // cancelled because of another target's error
		default:
			failed = errors.Join(failed, err)
		}
	}
	if failed == nil && len(c.trial.runs) == 0 {
		return unmatched
	}
	return failed
}

// sort puts the runs in the order of the targets.
func (c *check) sort() {
	index := func(name string) int {
		return slices.IndexFunc(c.targets, func(t config.Target) bool { return t.Name == name })
	}
	slices.SortStableFunc(c.trial.runs, func(a, b *record.Run) int { return index(a.Target) - index(b.Target) })
	slices.SortStableFunc(c.stored, func(a, b measure.StoredRun) int { return index(a.Target) - index(b.Target) })
}

// overall returns the combined progress of all targets.
func (c *check) overall(p runner.Progress) runner.Progress {
	p.Done, p.Total, p.Open, p.Slots = 0, 0, 0, 0
	p.Look, p.Until = stat.CheckPlan().NextLook(0), c.deadline
	for _, one := range c.targetChecks {
		shown := one.shown
		p.Done += shown.Done
		p.Total += shown.Total
		p.Open += shown.Open
		p.Slots += shown.Slots
	}
	return p
}
