package steps

import (
	"slices"

	"github.com/perftrack/perftrack/compare"
)

// A State is the state of a line, as a word.
type State string

// The states, in order of precedence.
const (
	Regressed State = "regressed" // a regression was neither accepted nor undone
	Drifting  State = "drift"     // all of these regressions are drifts
	Off       State = "off"       // the newest run is far from its level: an outlier, or the first run of a new level
	Improved  State = "improved"  // the newest level is better than every earlier one
	Accepted  State = "accepted"  // a step for the worse was accepted
	Changed   State = "changed"   // a step in a unit without a direction
	Recovered State = "recovered" // the newest level equals an earlier one
	Steady    State = "steady"
	TooFew    State = "too-few" // too few runs to find a step
)

// State returns the state of one step. A regression is Regressed while it is unresolved, and
// otherwise Accepted or Recovered; other steps are Improved, Changed or Recovered.
func (s Step) State() State {
	switch {
	case s.Verdict == compare.Regressed && s.Accepted:
		return Accepted
	case s.Unresolved:
		return Regressed
	case s.Verdict == compare.Regressed, s.Recovers:
		return Recovered
	}
	return State(s.Verdict)
}

// A Stand describes the current state of a line with one word and one number.
type Stand struct {
	State State
	// Change is the change to the newest level, as a fraction of the level before the first unresolved
	// step, before the first improvement, or before the first accepted step, depending on State. For
	// Off, it is the change from the newest run's level to the newest run. It is not finite if the
	// level is 0.
	Change float64
	Since  Point // the first run after that step, or the zero value
	Drift  int   // the number of runs in the change if it was a single drift
}

// Unresolved reports whether the line has a regression neither accepted nor undone.
func (s Stand) Unresolved() bool { return s.State == Regressed || s.State == Drifting }

// stand returns the state of a course. states has its levels and the ends of its drifts; after[i]
// is the index of the state before step i.
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

// worse returns the state of a course with unresolved steps. Its Change starts from the level before
// the first of them. ok is false if no step is unresolved.
func (c *Course) worse() (found Stand, ok bool) {
	for _, s := range c.Steps {
		if !s.Unresolved {
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

// improvedFrom returns the index of the state from which a line improved: the first state worse
// than all later ones and not worse than any earlier one or, failing that, the best state except
// the newest. ok is false unless the newest state is better than all others.
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
