// Package spreading spreads the rounds of a trial over machines: it deals them to workers, and
// unites what the workers measured. It computes only; package check talks to the queue.
//
// Begin with deal.go.
package spreading

import "slices"

// MaxRounds is the usual limit for the rounds in a job: it bounds what the loss of a machine costs.
const MaxRounds = 4

// A Stretch is a number of consecutive rounds.
type Stretch struct{ First, Last int }

// A Deal deals the rounds of one target, from the first to the last, to any number of workers. A
// look needs all rounds before it, but workers finish in any order, so a Deal keeps all of them
// busy with the rounds of later looks. At most Most rounds a worker are then measured in vain.
type Deal struct {
	NextLook func(round int) int // the first look after a round, or 0
	Last     int                 // last round of the trial
	Most     int                 // largest number of rounds in a job

	next  int // the first round that was never dealt
	known int // all rounds up to this one are known
	later map[int]bool
	again []Stretch // to be dealt again
	jobs  []Stretch // waiting or running
}

// NewDeal returns a deal of the rounds after the given one.
func NewDeal(after, last int, nextLook func(round int) int) *Deal {
	return &Deal{NextLook: nextLook, Last: last, Most: MaxRounds, next: after + 1, known: after, later: map[int]bool{}}
}

// Deal returns jobs, so that each of the workers has one and one more waits. aim is the earliest
// useful look. The rounds before the next look are divided evenly among the workers.
func (d *Deal) Deal(workers, aim int) (jobs []Stretch) {
	workers = max(1, workers)
	for len(d.jobs) < workers+1 {
		s, ok := d.stretch(workers, aim)
		if !ok {
			break
		}
		d.jobs = append(d.jobs, s)
		jobs = append(jobs, s)
	}
	return jobs
}

func (d *Deal) stretch(workers, aim int) (Stretch, bool) {
	for len(d.again) > 0 {
		s := d.again[0]
		d.again = d.again[1:]
		if !d.knows(s) {
			return s, true
		}
	}
	if d.next > d.Last {
		return Stretch{}, false
	}
	look := aim
	if look < d.next {
		look = d.NextLook(d.next - 1)
	}
	if look == 0 {
		look = d.Last
	}
	rounds := (look - d.next + workers) / workers // rounded up
	rounds = max(1, min(rounds, d.Most, d.Last-d.next+1))
	s := Stretch{d.next, d.next + rounds - 1}
	d.next += rounds
	return s, true
}

// Arrived records rounds that were measured, in a job of this deal or for an earlier process, or given
// up, so that no look waits for them any more. If a job ended early, the rest of it is dealt again.
func (d *Deal) Arrived(part Stretch) {
	for n := part.First; n <= part.Last; n++ {
		d.know(n)
	}
	d.jobs = slices.DeleteFunc(d.jobs, func(job Stretch) bool {
		if job.First == part.First && part.Last < job.Last {
			d.again = append(d.again, Stretch{part.Last + 1, job.Last})
			return true
		}
		return d.knows(job)
	})
	d.skip()
}

// knows reports whether all rounds of a stretch are known.
func (d *Deal) knows(s Stretch) bool {
	for n := max(s.First, d.known+1); n <= s.Last; n++ {
		if !d.later[n] {
			return false
		}
	}
	return true
}

func (d *Deal) know(n int) {
	if n <= d.known {
		return
	}
	d.later[n] = true
	for d.later[d.known+1] {
		d.known++
		delete(d.later, d.known)
	}
}

// skip begins after the rounds that are known, and deals the gaps between them again.
func (d *Deal) skip() {
	for n := d.next; n <= d.known || len(d.later) > 0 && n <= d.highest(); n++ {
		if n > d.known && !d.later[n] {
			d.gap(n)
		}
		d.next = n + 1
	}
}

func (d *Deal) highest() (n int) {
	for round := range d.later {
		n = max(n, round)
	}
	return n
}

func (d *Deal) gap(n int) {
	if i := len(d.again) - 1; i >= 0 && d.again[i].Last == n-1 && n-d.again[i].First < d.Most {
		d.again[i].Last = n
		return
	}
	d.again = append(d.again, Stretch{n, n})
}

// Known returns the last round up to which all rounds are measured or lost.
func (d *Deal) Known() int { return d.known }

// Dealt returns the last round that was dealt or is known.
func (d *Deal) Dealt() int { return d.next - 1 }

// Over reports whether no round is left to measure.
func (d *Deal) Over() bool { return d.known >= d.Last }

// Pending returns the number of jobs waiting or running.
func (d *Deal) Pending() int { return len(d.jobs) }
