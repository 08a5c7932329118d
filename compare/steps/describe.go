package steps

import (
	"math"
	"slices"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/stat"
)

// A state is the value of a line at a level or at an end of a drift.
type state struct{ value, log float64 }

// describe fills in the levels, steps and outliers of a course.
func (l *Line) describe(c *Course, spans []span) {
	var states []state
	after := []int{} // for each step, the index of the state before it
	add := func(s Step, old int) { c.Steps, after = append(c.Steps, s), append(after, old) }
	for i, s := range spans {
		if i > 0 && (spans[i-1].drift == nil || s.drift == nil || l.size(spans[i-1], s) >= l.least) {
			add(l.step(spans[i-1], s), len(states)-1)
		}
		if s.drift == nil {
			c.Levels = append(c.Levels, l.levelOf(s))
			states = append(states, state{c.Levels[len(c.Levels)-1].Center, s.center})
			continue
		}
		r, step := s.drift, l.drifted(s)
		if r.begin+1-s.first >= leastLength {
			c.Levels = append(c.Levels, l.level(s.first, r.begin+1))
		}
		add(step, len(states))
		if s.end-r.over >= leastLength {
			c.Levels = append(c.Levels, l.level(r.over, s.end))
		}
		states = append(states, state{step.From, r.from}, state{step.To, r.to})
	}
	for i := range c.Steps {
		l.settle(&c.Steps[i], states[after[i]:])
		c.Steps[i].Recovers = c.Steps[i].Verdict == compare.Improved && slices.ContainsFunc(states[:after[i]], func(s state) bool { return !l.worseThan(s, states[after[i]+1]) })
	}
	c.Outliers = l.outliers(spans)
	c.Stand = l.stand(c, states, after)
}

func (l *Line) level(first, end int) Level {
	return Level{first, end, stat.Median(l.values(first, end))}
}

// levelOf returns the level of a span without drift.
func (l *Line) levelOf(s span) Level {
	if l.opt.Exact {
		return Level{s.first, s.end, stat.Median(l.alike(s))}
	}
	return l.level(s.first, s.end)
}

// step returns the step between two neighbouring spans.
func (l *Line) step(a, b span) Step {
	s := Step{Last: l.runs[a.end-1], First: l.runs[b.first]}
	if l.opt.Exact {
		s.From, s.To = stat.Median(l.alike(a)), stat.Median(l.alike(b))
		s.Shift, _ = l.exact(s.From, s.To)
	} else {
		old, fresh := l.edge(a, true), l.edge(b, false)
		if whole := jump(a, b); a.drift == nil && b.drift == nil && !(math.Log(stat.Median(fresh)/stat.Median(old))/whole >= 0.5) {
			old, fresh = l.spread(a), l.spread(b)
		}
		l.measure(&s, old, fresh)
	}
	if l.opt.Accepted != nil {
		s.Accepted = l.opt.Accepted(s.Last.Commit, s.First.Commit)
	}
	return s
}

// drifted returns a drift as a step from its start to its end.
func (l *Line) drifted(d span) Step {
	r := d.drift
	s := Step{Last: l.runs[r.begin], First: l.runs[r.over], Drift: r.over - r.begin}
	l.measure(&s, l.edge(d, false), l.edge(d, true))
	s.Accepted = l.acceptedDrift(r)
	return s
}

// acceptedDrift reports whether a drift was accepted and moved by less than a step after that. A
// drift that continues after its acceptance does not count as accepted.
func (l *Line) acceptedDrift(r *ramp) bool {
	if l.opt.Accepted == nil {
		return false
	}
	for t := r.over; t > r.begin; t-- {
		if l.opt.Accepted(l.runs[t-1].Commit, l.runs[t].Commit) {
			return math.Abs(r.to-r.at(t)) < l.least
		}
	}
	return false
}

// measure estimates the size of a step from runs on both sides of it.
func (l *Line) measure(s *Step, old, fresh []float64) {
	s.Shift = l.shift(old, fresh)
	s.From, s.To = stat.Median(old), stat.Median(fresh)
	center := s.To/s.From - 1
	if s.Shift.Absolute {
		center = s.To - s.From
	}
	s.Shift = s.Shift.Around(center)
}

// settle fills in the verdict of a step and whether the step is unresolved. states begins with
// the state before the step, followed by all later ones.
func (l *Line) settle(s *Step, states []state) {
	change := stat.Sign(s.To - s.From)
	s.Verdict = compare.Direction(change, l.opt.Better)
	s.Now = states[len(states)-1].value/s.From - 1
	s.Unresolved = s.Verdict == compare.Regressed && !s.Accepted
	for _, later := range states[1:] {
		if l.differ(states[0], later) != change {
			s.Unresolved = false
		}
	}
}

// differ returns +1 if b is above a by at least a step, -1 if it is below a by at least a step, and
// 0 otherwise.
func (l *Line) differ(a, b state) int {
	if l.opt.Exact {
		if _, verdict := l.exact(a.value, b.value); verdict == compare.Unchanged {
			return 0
		}
	} else if math.Abs(b.log-a.log) < l.least {
		return 0
	}
	return stat.Sign(b.value - a.value)
}
