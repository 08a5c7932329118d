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

// run builds all targets, then measures one round of each in turn: the end of the budget, and
// what disturbs the machine for a minute, meets all of them alike. An error of one ends the others,
// too, unless it is that it does not build, and what was measured of all is stored.
func (c *check) run(ctx context.Context, sources measure.Sources) error {
	all, stop := context.WithCancel(ctx)
	defer stop()
	errs := make([]error, len(c.targets))
	var turns []turn
	for i, t := range c.targets {
		course := newCourse(c, t)
		c.courses = append(c.courses, course)
		next, end := iter.Pull(course.turns(all, sources, func(err error) {
			if errs[i] = err; err != nil && !workspace.IsNothingToMeasure(err) && !errors.As(err, new(*build.Error)) {
				stop()
			}
		}))
		defer end()
		turns = append(turns, turn{course, next})
	}
	takeTurns(turns)
	c.sort()
	return c.failed(ctx, errs)
}

// turns measures the target, and yields where it lets the others have their turns. Ended takes its error.
func (c *course) turns(ctx context.Context, sources measure.Sources, ended func(error)) iter.Seq[struct{}] {
	return func(yield func(struct{}) bool) {
		defer func() {
			if p := recover(); p != nil { // whoever pulls panics with it, and does not know where it began
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

// A turn is a target that waits for its next one.
type turn struct {
	course *course
	next   func() (struct{}, bool) // lets it go on until it passes, and reports whether it did
}

// takeTurns lets the targets go on in turn, until all have ended. One of which a look was held that
// could have flagged something lets those go ahead of which there was none: what is left of the
// budget is theirs.
func takeTurns(waiting []turn) {
	for len(waiting) > 0 {
		first := waiting[0]
		waiting = waiting[1:]
		yields := !first.course.short && slices.ContainsFunc(waiting, func(t turn) bool { return t.course.short })
		if !yields {
			if _, ok := first.next(); !ok {
				continue
			}
		}
		waiting = append(waiting, first)
	}
}

// takeTurn waits, when all targets are built, until no other perftrack measures. The wait is not part of
// the budget. What others measured of the same commits meanwhile belongs to the trial, as if
// this check had begun after them: it may have spent the error rate.
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

// failed is the error of the check, of those of its targets.
func (c *check) failed(ctx context.Context, errs []error) error {
	var unmatched, failed error
	for _, err := range errs {
		switch {
		case len(errs) > 1 && workspace.IsNothingToMeasure(err):
			unmatched = err // a filter may be meant for another target
		case ctx.Err() == nil && errors.Is(err, context.Canceled): // only because of another one
		default:
			failed = errors.Join(failed, err)
		}
	}
	if failed == nil && len(c.trial.runs) == 0 {
		return unmatched
	}
	return failed
}

// sort puts what was measured in the order of the targets, whichever was over first.
func (c *check) sort() {
	index := func(name string) int {
		return slices.IndexFunc(c.targets, func(t config.Target) bool { return t.Name == name })
	}
	slices.SortStableFunc(c.trial.runs, func(a, b *record.Run) int { return index(a.Target) - index(b.Target) })
	slices.SortStableFunc(c.stored, func(a, b measure.StoredRun) int { return index(a.Target) - index(b.Target) })
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
	for _, course := range c.courses {
		one := course.shown
		p.Done += one.Done
		p.Total += one.Total
		p.Open += one.Open
		p.Slots += one.Slots
	}
	return p
}
