package backfill

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/fleet"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/measure"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/remote"
	"github.com/perftrack/perftrack/runner"
	"github.com/perftrack/perftrack/runner/record"
)

// On workers, as many commits are measured at once as there are workers, each by one of them. The
// id of a commit's trial follows from what is measured, so the rounds that the queue has of an
// interrupted backfill are found again.

// A point is one target at one commit, measured by workers.
type point struct {
	*visit
	step   *Step
	rounds *remote.Rounds
	took   time.Duration
	err    error
}

// runOnWorkers lets workers measure the commits.
func (b *backfill) runOnWorkers(ctx context.Context) error {
	workers, err := b.opt.Workers.Open(ctx, b.session, b.where)
	if err != nil {
		return err
	}
	more := make(chan struct{}, 1)
	workers.Staff.Changed = func() {
		select {
		case more <- struct{}{}:
		default:
		}
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	b.began = b.session.Now()
	ended := make(chan []*point)
	running, finished := 0, 0
	for {
		for err == nil && running < max(1, workers.Staff.Live()) {
			points := b.begin(workers)
			if len(points) == 0 {
				break
			}
			running++
			go func() { ended <- measured(ctx, points) }()
		}
		if running == 0 {
			return cmp.Or(err, b.nothing())
		}
		select {
		case <-more:
		case points := <-ended:
			running--
			finished++
			if e := b.take(ctx, points, finished); e != nil && err == nil {
				err = e
				stop() // the others end soon
			}
		}
	}
}

// begin returns the points to measure at the next commit. There are none at the end.
func (b *backfill) begin(workers *remote.Fleet) (points []*point) {
	if b.stopped = b.stopped || !b.hasTime(); b.stopped {
		return nil
	}
	at, ok := b.due.next()
	if !ok {
		return nil
	}
	b.visits++
	position := b.chosen[at]
	for i, t := range b.targets {
		if step := &b.steps[position][i]; step.State == NotReached {
			v := &visit{backfill: b, commit: b.line.commits[position], position: position, target: t}
			points = append(points, &point{visit: v, step: step, rounds: v.rounds(workers)})
		}
	}
	return points
}

// rounds returns the rounds to measure.
func (v *visit) rounds(workers *remote.Fleet) *remote.Rounds {
	n := v.opt.Flags.Plan(v.target, runner.DefaultRounds, "").Rounds
	return &remote.Rounds{
		Fleet: workers, First: 1, Last: n, Most: n,
		Pair: remote.Pair{Target: v.target, Flags: v.opt.Flags, Base: v.anchor.SHA, Head: v.commit.SHA, Priority: fleet.Backfill},
	}
}

// measured measures the points of a commit.
func measured(ctx context.Context, points []*point) []*point {
	for _, p := range points {
		if p.err = ctx.Err(); p.err != nil {
			continue
		}
		began := p.session.Now()
		if p.rounds.Trial, p.err = p.rounds.Fleet.TrialID("backfill", p.rounds.Pair); p.err == nil {
			p.err = p.rounds.Measure(ctx, func(remote.Part) (bool, error) { return true, nil })
		}
		p.took = p.session.Now().Sub(began)
	}
	return points
}

// take stores what workers measured at the n-th commit. It returns only errors that would also occur
// at the next commit.
func (b *backfill) take(ctx context.Context, points []*point, n int) error {
	for _, p := range points {
		if p.err != nil && ctx.Err() != nil { // the targets after it were not measured, either
			p.step.Detail = "interrupted: the queue keeps its rounds"
			return ctx.Err()
		}
		p.step.Took = p.took
		if err := p.take(ctx); err != nil {
			return err
		}
		if p.step.State == Measured || p.step.State == Failed {
			b.last = max(b.last, p.took)
		}
		b.report(*p.step, n)
	}
	return nil
}

func (p *point) take(ctx context.Context) (err error) {
	if p.err != nil {
		p.step.State, p.step.Detail, err = p.blameWorkers(p.err)
		return err
	}
	runs := p.rounds.Runs(record.Complete, p.facts)
	base, head := p.rounds.Failures(record.Base), p.rounds.Failures(record.Head)
	if len(runs) == 0 && len(base) > 0 && len(head) == 0 {
		return p.blameAnchor(fmt.Errorf("%s: %s", base[0].Benchmark, base[0].Reason), false)
	}
	var stored []measure.StoredRun
	for _, r := range runs {
		id, _, err := p.db.Put(context.WithoutCancel(ctx), r)
		if err != nil {
			return fault.IO(err)
		}
		stored = append(stored, measure.StoredRun{ID: id, Run: r})
	}
	if err := p.note(stored, p.step); err != nil {
		return err
	}
	if p.step.State == PassedOver && len(head) > 0 {
		p.step.Detail = failedText(&record.Run{Failures: head})
	}
	return nil
}

// blameWorkers is like blame, for an error of workers.
func (v *visit) blameWorkers(err error) (State, string, error) {
	failed := new(remote.FailedError)
	if !errors.As(err, &failed) {
		return NotReached, "", err
	}
	switch {
	case failed.Side == record.Base, failed.Side == record.Head && v.commit.SHA == v.anchor.SHA:
		return NotReached, "", v.blameAnchor(failed, failed.Kind == "usage")
	case failed.Side == record.Head:
		return PassedOver, failed.Reason, nil
	case failed.Kind == "io":
		return PassedOver, "no worker could measure it: " + failed.Reason, nil
	}
	return NotReached, "", &fault.Error{Kind: failed.Kind, Err: err}
}
