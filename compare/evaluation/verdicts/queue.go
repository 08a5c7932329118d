package verdicts

import (
	"math"
	"math/rand/v2"

	"github.com/perftrack/perftrack/compare/evaluation/noise"
	"github.com/perftrack/perftrack/compare/stat"
)

// A Queue says how the rounds of a trial are dealt to machines. A job is some rounds of a group of
// benchmarks. A free machine takes the first job that waits, and measures the benchmarks of its group
// that are open by then.
type Queue struct {
	Machines int
	Groups   int  // of benchmarks
	Rounds   int  // in a job, at most
	Across   bool // jobs go on across looks; else the rounds up to each look are divided evenly
	Ahead    int  // rounds to queue beyond the last look taken; the rounds up to the next look are always queued
}

// Spread is the queue that a coordinator of eight machines should use.
var Spread = Queue{Machines: 8, Groups: 8, Rounds: 4, Ahead: 4}

// alone is one machine, which decides at each look before it goes on.
var alone = Queue{Machines: 1, Groups: 1, Rounds: 4}

// Costs, in units of the time of one benchmark in one round, both sides.
const (
	perPackage = 10 // benchmarks
	linkCost   = 1. // to link both sides of a package anew for a round
	jobCost    = 3. // to claim a job, and to store its result
)

// A dealing measures one trial by a queue, and decides it while it is measured.
type dealing struct {
	Queue
	f     *Fleet
	r     *rand.Rand
	hosts []host
	mean  func(noise.Place) float64
	plan  stat.Plan

	ends           []int // the last round of each block of rounds
	seq            stat.Sequence
	typical, means [][]stat.Pair // by benchmark and round
	decided        int           // the round of the last look
	next           int           // the number of the next job
	now, work      float64       // time, and time measured by all machines together
	finish         []float64     // when each machine finishes its job; infinite for an idle machine
	running        []int         // the job of each machine
}

func newDealing(q Queue, f *Fleet, r *rand.Rand, benchmarks int) *dealing {
	d := &dealing{Queue: q, f: f, r: r, plan: stat.CheckPlan(), hosts: f.hosts(r, q.Machines, benchmarks)}
	d.mean = meanNoise(r, benchmarks)
	missing := stat.Pair{Base: math.NaN(), Head: math.NaN()}
	t := stat.Trial{}
	for range benchmarks {
		t.Series = append(t.Series, stat.Series{Better: -1, Threshold: 0.05})
		rounds := make([]stat.Pair, d.plan.Last())
		for i := range rounds {
			rounds[i] = missing
		}
		d.typical, d.means = append(d.typical, rounds), append(d.means, append([]stat.Pair(nil), rounds...))
	}
	d.ends = q.blocks(d.plan)
	d.seq.Reset(t, stat.Options{})
	for range q.Machines {
		d.finish, d.running = append(d.finish, math.Inf(1)), append(d.running, -1)
	}
	return d
}

// blocks returns the last round of each block of rounds that is measured by the same jobs.
func (q *Queue) blocks(plan stat.Plan) (ends []int) {
	for from := 0; from < plan.Last(); {
		to := plan.NextLook(from)
		if q.Across {
			to = plan.Last()
		}
		for n := (to - from + q.Rounds - 1) / q.Rounds; n > 0; n-- {
			length := (to - from + n - 1) / n
			if q.Across {
				length = min(q.Rounds, to-from)
			}
			from += length
			ends = append(ends, from)
		}
	}
	return ends
}

// job returns the first and the last round of a job, counted from 1, and its benchmarks. After the
// last job, the first round is beyond the last look.
func (d *dealing) job(n int) (first, last, lo, hi int) {
	block, g, all := n/d.Groups, n%d.Groups, len(d.typical)
	if block == len(d.ends) {
		return d.plan.Last() + 1, 0, 0, 0
	}
	if first = 1; block > 0 {
		first = d.ends[block-1] + 1
	}
	return first, d.ends[block], g * all / d.Groups, (g + 1) * all / d.Groups
}

// run measures until everything is decided, or until the last look.
func (d *dealing) run() {
	for {
		d.assign()
		d.complete()
		if d.look() {
			return
		}
	}
}

// assign gives the jobs that may be queued to idle machines.
func (d *dealing) assign() {
	limit := max(d.plan.NextLook(d.decided), d.decided+d.Ahead)
	for m := range d.finish {
		if d.running[m] >= 0 {
			continue
		}
		d.skip()
		if first, _, _, _ := d.job(d.next); first > min(limit, d.plan.Last()) {
			return
		}
		d.next++
		d.running[m] = d.next - 1
		d.finish[m] = d.now + d.measure(m)
	}
}

// skip passes over jobs without open benchmarks.
func (d *dealing) skip() {
	for {
		first, _, lo, hi := d.job(d.next)
		if first > d.plan.Last() || d.anyOpen(lo, hi) {
			return
		}
		d.next++
	}
}

func (d *dealing) anyOpen(lo, hi int) bool {
	for b := lo; b < hi; b++ {
		if d.seq.Open(b) {
			return true
		}
	}
	return false
}

// measure draws the values of a machine's job and returns how long it takes.
func (d *dealing) measure(m int) float64 {
	first, last, lo, hi := d.job(d.running[m])
	cost, linked := jobCost, -1
	for b := lo; b < hi; b++ {
		if !d.seq.Open(b) {
			continue
		}
		if b/perPackage != linked {
			linked = b / perPackage
			cost += linkCost * float64(last-first+1)
		}
		cost += float64(last - first + 1)
		for round := first; round <= last; round++ {
			d.typical[b][round-1], d.means[b][round-1] = d.f.measure(d.r, &d.hosts[m], b, round-1, d.mean)
		}
	}
	cost *= d.hosts[m].speed * math.Exp(jobSD*d.r.NormFloat64())
	d.work += cost
	return cost
}

// complete waits until the next machine finishes its job.
func (d *dealing) complete() {
	m := 0
	for i := range d.finish {
		if d.finish[i] < d.finish[m] {
			m = i
		}
	}
	d.now, d.finish[m], d.running[m] = d.finish[m], math.Inf(1), -1
}

// look takes the looks whose rounds are all measured. It reports whether the trial has ended.
func (d *dealing) look() bool {
	for {
		next := d.plan.NextLook(d.decided)
		if next > d.through() {
			return false
		}
		for b := range d.typical {
			for round := d.decided + 1; round <= next; round++ {
				d.seq.Add(b, round, d.typical[b][round-1])
				d.seq.AddMean(b, round, d.means[b][round-1])
			}
		}
		d.decided = next
		if open := d.seq.Complete(next); open == 0 || next == d.plan.Last() {
			return true
		}
	}
}

// through returns the round up to which all jobs are done.
func (d *dealing) through() int {
	d.skip()
	first, _, _, _ := d.job(d.next)
	for _, n := range d.running {
		if n >= 0 {
			from, _, _, _ := d.job(n)
			first = min(first, from)
		}
	}
	return first - 1
}
