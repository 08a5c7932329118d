package steps

import (
	"slices"

	"github.com/perftrack/perftrack/compare"
)

// A State says in a word how a line stands.
type State string

// The states, in the order in which they tell.
const (
	Regressed State = "regressed" // a step for the worse is in force
	Drifting  State = "drift"     // all that is in force came little by little
	Off       State = "off"       // the newest run lies far off its level: an outlier, or the first of a new level
	Improved  State = "improved"  // the newest level is better than every one before
	Accepted  State = "accepted"  // a step for the worse was accepted
	Changed   State = "changed"   // of a unit without a direction
	Recovered State = "recovered" // the newest level is one that was there before
	Steady    State = "steady"
	TooFew    State = "too-few" // runs to find a step
)

// A Stand is how a line stands now, in one word and one number.
type Stand struct {
	State State
	// Change is how far the newest level lies above the one before all that State tells of, as
	// a fraction: before the first step in force, the first that improved it, or the first
	// that was accepted. Off, it is the newest run's from its level. It is not finite from a level of 0.
	Change float64
	Since  Point // the first run of that change; the zero value without one
	Drift  int   // over how many runs it came, where it was one drift
}

// InForce reports whether it got worse, and nobody accepted it.
func (s Stand) InForce() bool { return s.State == Regressed || s.State == Drifting }

// stand says how a course stands. states are its levels and the ends of its drifts; after has for
// each step the place of the one before it.
func (l *Line) stand(c *Course, states []state, after []int) Stand {
	if s, ok := c.worse(); ok {
		return s
	}
	if n := len(c.Outliers); n > 0 && c.Outliers[n-1].Open && len(c.Runs) >= outlierRuns {
		return Stand{State: Off, Change: c.Outliers[n-1].Change, Since: c.Outliers[n-1].Point}
	}
	n := len(c.Steps)
	switch {
	case n == 0 && c.Enough:
		return Stand{State: Steady}
	case n == 0:
		return Stand{State: TooFew}
	}
	if at, ok := l.improvedFrom(states); ok {
		for i, s := range c.Steps {
			if after[i] >= at && s.Verdict == compare.Improved {
				return standing(Improved, s, states[len(states)-1].value/states[at].value-1)
			}
		}
	}
	if at := slices.IndexFunc(c.Steps, func(s Step) bool { return s.Accepted && s.Verdict == compare.Regressed }); at >= 0 {
		for i, s := range c.Steps[at:] {
			if s.Accepted && l.worseThan(states[len(states)-1], states[after[at+i]]) {
				return standing(Accepted, s, s.Now)
			}
		}
	}
	last := c.Steps[n-1]
	if last.Verdict == compare.Changed {
		return standing(Changed, last, last.Now)
	}
	return standing(Recovered, last, last.Now)
}

func standing(state State, s Step, change float64) Stand {
	return Stand{State: state, Change: change, Since: s.First, Drift: s.Drift}
}

// worse is how a course stands with steps in force: by the change since before the first of them.
func (c *Course) worse() (found Stand, ok bool) {
	for _, s := range c.Steps {
		if !s.InForce {
			continue
		}
		if !ok {
			found, ok = standing(Drifting, s, s.Now), true
		} else {
			found.Drift = 0
		}
		if s.Drift == 0 {
			found.State = Regressed
		}
	}
	return found, ok
}

// improvedFrom returns the state from which a line improved: the first than which all later ones are
// better, and none before was. Without one it is the best of all but the newest, if that is better still.
func (l *Line) improvedFrom(states []state) (at int, ok bool) {
	newest := len(states) - 1
	best := 0
	for i := range states[:newest] {
		if l.worseThan(states[best], states[i]) {
			best = i
		}
	}
	if newest == 0 || !l.worseThan(states[best], states[newest]) {
		return 0, false
	}
	for i := range states[:newest] {
		record := !slices.ContainsFunc(states[:i], func(s state) bool { return l.worseThan(states[i], s) })
		lasting := !slices.ContainsFunc(states[i+1:], func(s state) bool { return !l.worseThan(states[i], s) })
		if record && lasting {
			return i, true
		}
	}
	return best, true
}

// worseThan reports whether a is worse than b by at least a step.
func (l *Line) worseThan(a, b state) bool {
	return l.opt.Better != 0 && l.differ(b, a) == -l.opt.Better
}
