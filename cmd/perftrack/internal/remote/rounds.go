package remote

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fleet"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/spreading"
	"github.com/perftrack/perftrack/runner/record"
)

// Rounds are rounds of a trial of one target, which workers measure.
type Rounds struct {
	Fleet *Fleet
	Pair
	Trial       string // id; the rounds that another process has measured for this trial count, too
	First, Last int    // numbers of the rounds
	Most        int    // largest number of rounds in a job
	// Batch is the number of rounds that workers share before the caller is likely to be content.
	// If it is 0, one worker measures all rounds.
	Batch int

	rounds   spreading.Rounds
	deal     *spreading.Deal
	early    []Part          // arrived before the rounds before them
	taken    int             // last round passed to the caller
	machines map[string]bool // workers with rounds
}

// A Part has the runs of both sides with consecutive rounds.
type Part struct {
	First, Last int
	Runs        []*record.Run
}

// Measure lets workers measure, and calls take with the parts in the order of their rounds until it
// wants no more. The rounds of a job that was lost are left out. If a commit cannot be measured, the
// error is a [FailedError].
func (r *Rounds) Measure(ctx context.Context, take func(Part) (more bool, err error)) error {
	r.begin()
	trial, err := r.Fleet.describe(r.Pair, r.Trial)
	if err != nil {
		return err
	}
	queue, err := fleet.Start(ctx, r.Fleet.session, trial)
	if err != nil {
		return err
	}
	err = r.follow(ctx, queue, take)
	state := fleet.Decided
	switch {
	case errors.As(err, new(*FailedError)):
		state = fleet.GivenUp
	case err != nil:
		state = fleet.Interrupted
	}
	if state != fleet.Decided {
		err = errors.Join(err, queue.Cancel())
	}
	return errors.Join(err, queue.Close(state))
}

func (r *Rounds) begin() {
	look := func(round int) int { return min(r.Last, round+r.Batch) }
	if r.Batch == 0 {
		look = func(int) int { return r.Last }
	}
	r.deal = spreading.NewDeal(r.First-1, r.Last, look)
	r.deal.Most, r.taken, r.machines = r.Most, r.First-1, map[string]bool{}
}

// A conversation is what [Rounds] needs of a [fleet.Queue].
type conversation interface {
	Add(jobs []fleet.Job) error
	Next(ctx context.Context, within <-chan time.Time) (e fleet.Event, ok bool, err error)
}

// follow queues jobs and takes their results.
func (r *Rounds) follow(ctx context.Context, queue conversation, take func(Part) (bool, error)) error {
	for !r.deal.Over() {
		if jobs := r.jobs(); len(jobs) > 0 {
			if err := queue.Add(jobs); err != nil {
				return err
			}
		}
		e, ok, err := queue.Next(ctx, r.Fleet.Staff.Wake(time.Time{}))
		switch {
		case err != nil:
			return err
		case !ok:
			err = r.Fleet.Staff.GivenUp()
		default:
			err = r.note(e)
		}
		if err != nil {
			return err
		}
		if more, err := r.pass(take); !more || err != nil {
			return err
		}
	}
	return nil
}

// jobs returns jobs for the workers, so that none has to wait.
func (r *Rounds) jobs() (jobs []fleet.Job) {
	workers := 1
	if r.Batch > 0 {
		workers = r.Fleet.Staff.Live()
	}
	for _, s := range r.deal.Deal(workers, 0) {
		jobs = append(jobs, fleet.Job{Target: r.Target.Name, Shard: "1/1", First: s.First, Last: s.Last})
	}
	return jobs
}

// note notes what the queue tells.
func (r *Rounds) note(e fleet.Event) error {
	switch {
	case e.Opened != nil:
		r.Fleet.Staff.Counted(e.Opened.Workers)
	case e.Workers != nil:
		r.Fleet.Staff.Counted(e.Workers.Live)
	case e.Part != nil && e.Part.Target == r.Target.Name && e.Part.Last > r.taken:
		r.add(*e.Part)
	case e.Failed != nil && e.Failed.Target == r.Target.Name && e.Failed.Last > r.deal.Known():
		return r.lost(*e.Failed)
	}
	return nil
}

// add adds a part.
func (r *Rounds) add(p fleet.Part) {
	runs, err := p.AddTo(&r.rounds, r.Trial, [2]string{r.Base, r.Head})
	if err == nil {
		r.machines[p.Worker] = true
		r.early = append(r.early, Part{p.First, p.Last, runs})
	} else {
		p.LeftOut(r.Fleet.session, err)
	}
	r.deal.Arrived(spreading.Stretch{First: p.First, Last: p.Last})
}

// lost leaves out the rounds of a job that the queue gave up, unless no other would fare better.
func (r *Rounds) lost(f fleet.Failed) error {
	if f.Ends(&r.rounds) {
		return failed(f)
	}
	f.Lost(r.Fleet.session)
	r.deal.Arrived(spreading.Stretch{First: f.First, Last: f.Last})
	return nil
}

// pass passes on the parts before the first gap. more is false once the caller wants no more.
func (r *Rounds) pass(take func(Part) (bool, error)) (more bool, err error) {
	slices.SortFunc(r.early, func(a, b Part) int { return cmp.Compare(a.First, b.First) })
	for len(r.early) > 0 && r.early[0].Last <= r.deal.Known() {
		p := r.early[0]
		r.early, r.taken = r.early[1:], p.Last
		if more, err := take(p); !more || err != nil {
			return false, err
		}
	}
	return true, nil
}

// Runs returns the runs of both sides with the rounds that were passed on, the base's first. There
// are several of a side if machines of different environments measured it. Runs without a benchmark
// are left out. note adds facts about the trial, which a worker's own claims must not replace.
func (r *Rounds) Runs(status record.Status, note func(*record.Run)) (runs []*record.Run) {
	for _, run := range spreading.UpTo(r.rounds.Runs(), r.taken) {
		if len(run.Benchmarks) == 0 {
			continue
		}
		if run.Status != record.Failed {
			run.Status = status
		}
		p := &run.Protocol
		*p = record.Protocol{Decision: p.Decision, Rewritten: p.Rewritten, Tests: p.Tests, Methods: p.Methods}
		p.Spread = &record.Spread{Class: r.Fleet.Staff.Class, Machines: len(r.machines)}
		note(run)
		runs = append(runs, run)
	}
	return runs
}

// Failures returns the failures of a side's benchmarks so far.
func (r *Rounds) Failures(side record.Side) (all []record.Failure) {
	for _, run := range r.rounds.Runs() {
		if run.Side == side {
			all = append(all, run.Failures...)
		}
	}
	return all
}
