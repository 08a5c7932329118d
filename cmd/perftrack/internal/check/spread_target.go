package check

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/artifact"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/fleet"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/measure"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/spreading"
	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/stat"
	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/record"
)

// firstAim is the look that the first jobs aim at, before the number of benchmarks is known. It can
// flag one of 220 benchmarks.
const firstAim = 16

// A spreadTarget is one target of a check whose rounds are measured by workers.
type spreadTarget struct {
	*targetCheck
	after      int // last round of earlier checks
	hand       hand
	rounds     spreading.Rounds
	machines   map[string]bool // workers with stored rounds
	unmeasured []*record.Run   // runs that record why nothing could be measured
	looked     int             // round of the last look
	aim        int
	workers    int // live ones
	rows, open int
	done       bool
}

func newSpreadTarget(c *targetCheck) (*spreadTarget, error) {
	if err := c.check.noise.Learn(c.before()); err != nil {
		return nil, err
	}
	last := c.lastRound()
	t := &spreadTarget{targetCheck: c, aim: firstAim, after: last, looked: last, machines: map[string]bool{}, hand: newHand(last)}
	if last > 0 {
		t.note(c.decide(nil))
		t.done = t.done || last >= stat.CheckPlan().Last()
	}
	if t.done {
		c.check.session.Noticef("earlier checks of the same commits have already decided every benchmark in %s", c.target.Name)
	}
	return t, nil
}

// note notes what a look has shown.
func (t *spreadTarget) note(c *compare.Comparison) {
	t.rows, t.open = 0, 0
	hypotheses := 0
	for r := range c.Rows() {
		t.rows++
		if r.Open {
			t.open++
		}
		if r.Compared() && !r.Derived {
			hypotheses++
		}
	}
	t.done = t.open == 0
	if first := t.firstLook(hypotheses); first > 0 {
		t.aim = first
	}
}

// deal returns jobs for the workers. Before the benchmarks are divided, each worker gets a short one.
func (t *spreadTarget) deal() (jobs []fleet.Job) {
	var closed []string
	for _, slot := range slices.Sorted(maps.Keys(t.agenda.open)) {
		if !t.agenda.open[slot] {
			closed = append(closed, slot)
		}
	}
	if t.target.Kind == config.GoTest && t.benchmarks == 0 {
		t.hand.first.Most = max(1, min(spreading.MaxRounds, t.aim/(2*max(1, t.workers))))
	} else {
		t.hand.first.Most = spreading.MaxRounds
	}
	groups := t.hand.all(&t.agenda)
	for _, g := range groups {
		for _, s := range g.Deal.Deal((t.workers+len(groups)-1)/len(groups), t.aim) {
			jobs = append(jobs, fleet.Job{Target: t.target.Name, Shard: g.shard, First: s.First, Last: s.Last, Closed: closed, Only: g.only})
		}
	}
	slices.SortStableFunc(jobs, func(a, b fleet.Job) int { return a.First - b.First })
	return jobs
}

// measured takes the rounds of a part, and looks at them if a look is due.
func (t *spreadTarget) measured(p fleet.Part) error {
	if t.done || p.Last <= t.after {
		return nil // stored by an earlier check
	}
	if _, err := p.AddTo(&t.rounds, t.check.trial.id, [2]string{t.check.opt.Base, t.check.opt.Head}); err == nil {
		t.machines[p.Worker] = true
	} else {
		p.LeftOut(t.check.session, err)
	}
	t.hand.arrive(p.Shard, spreading.Stretch{First: p.First, Last: p.Last})
	if t.check.measures.IsZero() {
		t.check.measures = t.check.session.Now()
	}
	return t.look()
}

// look decides the target at each look for which all rounds are there.
func (t *spreadTarget) look() error {
	plan := stat.CheckPlan()
	if known := t.hand.first.Known(); known > 0 && t.benchmarks == 0 {
		if err := t.begin(known); err != nil || t.done {
			return err
		}
	}
	for !t.done {
		look := plan.NextLook(t.looked)
		if look == 0 || look > t.hand.known(&t.agenda) {
			break
		}
		t.looked = look
		now, err := t.runs(look, record.Partial)
		if err != nil {
			return err
		}
		sofar := t.decide(now)
		t.agenda.looked = true
		t.note(sofar)
		t.tell(sofar, look, 0)
	}
	t.done = t.done || t.hand.over(&t.agenda)
	return nil
}

// begin reads the first rounds: how many benchmarks there are, and how long the budget is.
func (t *spreadTarget) begin(known int) error {
	now, err := t.runs(known, record.Partial)
	if err != nil {
		return err
	}
	t.first = now
	sofar := t.decide(now)
	t.note(sofar)
	t.hand.divide(sofar, t.target, t.workers)
	t.benchmarks = max(1, t.rows)
	t.done = t.rows == 0
	t.check.grant()
	return nil
}

// failed takes a job that the queue gave up.
func (t *spreadTarget) failed(f fleet.Failed) error {
	if t.done {
		return nil
	}
	if f.Text != "" {
		runs, err := artifact.ParseRuns([]byte(f.Text), "a failed job")
		if err != nil {
			return err
		}
		for _, r := range runs {
			t.annotate(r)
		}
		t.unmeasured, t.done = runs, true
	}
	if f.Ends(&t.rounds) {
		t.done = true
		return &fault.Error{Kind: f.Kind, Err: fmt.Errorf("target %s: worker %s: %s", t.target.Name, f.Worker, f.Message)}
	}
	f.Lost(t.check.session)
	t.hand.arrive(f.Shard, spreading.Stretch{First: f.First, Last: f.Last})
	return t.look()
}

// runs returns the runs with the rounds up to the given one, under the terms of this check.
func (t *spreadTarget) runs(last int, status record.Status) ([]*record.Run, error) {
	runs := spreading.UpTo(t.rounds.Runs(), last)
	for _, r := range runs {
		if r.Status != record.Failed {
			r.Status = status
		}
		t.annotate(r)
	}
	return runs, t.check.noise.Learn(runs)
}

// annotate records the terms of the check in a run. A worker's own claims about them do not count.
func (t *spreadTarget) annotate(r *record.Run) {
	p := &r.Protocol
	p.AlphaShare, p.Part, p.Family, p.Starved, p.Pace = 0, nil, nil, nil, nil
	t.targetCheck.note(r)
	p.Family = t.family()
	p.Spread = &record.Spread{Class: t.check.opt.Spread.Class, Machines: len(t.machines), Session: sessionOf(t.before())}
	t.check.termsOf(t.target.Name).Record(r)
}

// store stores the runs of all rounds without a gap. Later rounds stay in the queue's database.
func (t *spreadTarget) store(ctx context.Context) error {
	status := record.Partial
	if t.done {
		status = record.Complete
	}
	last := t.hand.known(&t.agenda)
	if t.done && t.open == 0 {
		last = max(last, t.looked)
	}
	runs, err := t.runs(last, status)
	if err != nil {
		return err
	}
	for _, r := range append(runs, t.unmeasured...) {
		id, _, err := t.check.db.Put(ctx, r)
		if err != nil {
			return fault.IO(err)
		}
		t.check.trial.runs = append(t.check.trial.runs, r)
		t.check.stored = append(t.check.stored, measure.StoredRun{ID: id, Run: r})
	}
	return nil
}
