package check

import (
	"slices"
	"time"

	"github.com/perftrack/perftrack/runner"
	"github.com/perftrack/perftrack/runner/program"
)

// A pace records the durations of a target's set-up, warm-up and rounds.
type pace struct {
	setup  time.Duration   // time until the first round began
	warm   time.Duration   // time of the warm-up
	took   []time.Duration // time of each round
	round  int             // the current round, as numbered by progress
	began  time.Time       // start of the current round or of the warm-up
	choice time.Time       // when choosing the sampling methods began
}

// progress records the start of the warm-up and of each round, for a check that began at start. It
// reports whether a round begins.
func (p *pace) progress(at runner.Progress, now, start time.Time) bool {
	switch {
	case at.Round > p.round: // includes linking, unless already done
		p.round, p.began = at.Round, now
		if p.setup == 0 {
			p.setup = max(now.Sub(start), 1)
		}
		return true
	case at.Stage == "measure" && p.began.IsZero():
		p.began = now
	}
	return false
}

// ended records and returns how long a round took.
func (p *pace) ended(now time.Time) time.Duration {
	took := now.Sub(p.began)
	p.took = append(p.took, took)
	return took
}

// usual returns the mean time of the rounds from index since on, without the first round, which
// includes linking. It returns 0 if there are too few rounds.
func (p *pace) usual(since int) time.Duration {
	took := p.took[min(len(p.took), max(since, pacedAfter-1)):]
	if len(took) == 0 || since > 0 && len(took) < pacedAfter {
		return 0
	}
	sum := time.Duration(0)
	for _, t := range took {
		sum += t
	}
	return sum / time.Duration(len(took))
}

// longest returns the time of the longest round, or 0 before the first.
func (p *pace) longest() time.Duration { return slices.Max(append([]time.Duration{0}, p.took...)) }

// next estimates the time of the next round. For the first round, the estimate is the planned time
// or, without a plan, the time of the warm-up. For later rounds, it is the time of the longest
// round. If short is set because the target has not reached a useful look yet, it is the median
// time (of two rounds, the longer one) instead.
func (p *pace) next(planned time.Duration, short bool) time.Duration {
	switch n := len(p.took); {
	case n == 0 && planned > 0:
		return planned
	case n == 0:
		return p.warm
	case short:
		return slices.Sorted(slices.Values(p.took))[n/2]
	}
	return p.longest()
}

// laps records how long each slot of a warm-up took.
type laps struct {
	took  map[program.Slot]time.Duration
	least time.Duration // shortest time of a slot
	slot  program.Slot  // the current slot
	began time.Time
}

// next begins a slot and returns the duration of the previous one, or 0 for the first.
func (l *laps) next(s program.Slot, now time.Time) (took time.Duration) {
	if l.took == nil {
		l.took = map[program.Slot]time.Duration{}
	} else {
		took = now.Sub(l.began)
		if l.took[l.slot] = took; len(l.took) == 1 || took < l.least {
			l.least = took
		}
	}
	l.slot, l.began = s, now
	return took
}
