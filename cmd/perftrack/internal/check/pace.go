package check

import (
	"slices"
	"time"

	"github.com/perftrack/perftrack/runner"
)

// A pace is how long what is measured of a target takes.
type pace struct {
	setup  time.Duration   // until the first round began
	warm   time.Duration   // the warm-up
	took   []time.Duration // by each round
	round  int             // the one that is measured, as a progress counts them
	began  time.Time       // it did, or the warm-up
	choice time.Time       // began of how each benchmark is measured
}

// progress notes when the warm-up and each round begins, of a check that began at start, and reports whether
// a round does.
func (p *pace) progress(at runner.Progress, now, start time.Time) bool {
	switch {
	case at.Round > p.round: // with its link, or without one if that was done ahead
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

// ended notes how long a round took.
func (p *pace) ended(now time.Time) time.Duration {
	took := now.Sub(p.began)
	p.took = append(p.took, took)
	return took
}

// usual is the mean time of the rounds since one, without the first, which links; 0 before there are two.
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

// longest is how long the longest round took; 0 before there is one.
func (p *pace) longest() time.Duration { return slices.Max(append([]time.Duration{0}, p.took...)) }

// next is how long the next round takes, as far as one can tell: the first one as long as planned, or as the
// warm-up; where the target is short of a look, as long as a usual one, the median, of an even
// number the longer one; and after that as long as the longest one.
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

// laps are how long the slots of a warm-up took.
type laps struct {
	took  map[runner.Slot]time.Duration
	least time.Duration // of all
	slot  runner.Slot   // the one that is measured
	began time.Time
}

// next begins a slot, and returns how long the one before took, 0 if it is the first.
func (l *laps) next(s runner.Slot, now time.Time) (took time.Duration) {
	if l.took == nil {
		l.took = map[runner.Slot]time.Duration{}
	} else {
		took = now.Sub(l.began)
		if l.took[l.slot] = took; len(l.took) == 1 || took < l.least {
			l.least = took
		}
	}
	l.slot, l.began = s, now
	return took
}
