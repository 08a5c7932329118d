package steps

import (
	"slices"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/stat"
)

// A line of repeating counts has no noise, but a step in it needs as many samples as a difference
// in a trial, [stat.DifferRounds]: a difference between two levels counts only if each level has
// that many samples or, as in any other unit, runs of three commits. Runs that differ from their
// level but are too few to form a level are outliers; at the end of the line, they are open
// outliers. Without this rule, a history would call a change proven even if a check with the same
// rounds calls it not checked.

// exact judges two values without noise, as a comparison does.
func (l *Line) exact(a, b float64) (stat.Shift, compare.Verdict) {
	return compare.Exact(l.opt.Unit, l.opt.Better, a, b)
}

// same reports whether two values without noise differ by no more than a negligible amount.
func (l *Line) same(a, b float64) bool {
	_, verdict := l.exact(a, b)
	return verdict == compare.Unchanged
}

// exactSpans returns the levels of a line without noise.
func (l *Line) exactSpans() (levels []span) {
	stretches := l.stretches()
	for _, s := range stretches {
		n := len(levels)
		switch {
		case !l.repeats(s):
		case n > 0 && l.same(levels[n-1].center, s.center):
			levels[n-1].end = s.end
		case n > 0:
			levels[n-1].end = s.first
			levels = append(levels, s)
		default:
			s.first = 0
			levels = append(levels, s)
		}
	}
	if n := len(levels); n > 0 {
		levels[n-1].end = len(l.runs)
	} else if len(stretches) > 0 {
		levels = []span{{end: len(l.runs), center: stretches[0].center}}
	}
	return levels
}

// stretches returns the stretches of successive runs with the same value.
func (l *Line) stretches() (out []span) {
	for i, m := range l.runs {
		if n := len(out); n > 0 && (!l.begins(i) || l.same(out[n-1].center, m.Value)) {
			out[n-1].end = i + 1
			continue
		}
		out = append(out, span{first: i, end: i + 1, center: m.Value})
	}
	return out
}

// repeats reports whether a span has enough runs to be a level.
func (l *Line) repeats(s span) bool {
	samples, commits := 0, 0
	for i := s.first; i < s.end; i++ {
		if samples += max(1, l.runs[i].Samples); i == s.first || l.begins(i) {
			commits++
		}
		if samples >= l.opt.Repeats || commits >= leastLength {
			return true
		}
	}
	return false
}

// alike returns the values in a span matching its level.
func (l *Line) alike(s span) (out []float64) {
	for _, m := range l.runs[s.first:s.end] {
		if l.same(s.center, m.Value) {
			out = append(out, m.Value)
		}
	}
	return out
}

// enoughExact is [Line.enough] for a line without noise. ok is also false if the newest runs differ
// from their level but are too few to form one.
func (l *Line) enoughExact() (needs int, ok bool) {
	all := make([]int, len(l.runs))
	for i, m := range l.runs {
		all[i] = max(1, m.Samples)
	}
	if needs = 2; len(all) > 0 {
		slices.Sort(all)
		usual := all[len(all)/2]
		needs = 2 * min(leastLength, max(1, (l.opt.Repeats+usual-1)/usual))
	}
	first, last := 1, len(l.runs)-1 // the first and the last run at which a step could begin
	for first < last && !l.repeats(span{end: first}) {
		first++
	}
	for first < last && !l.repeats(span{first: last, end: len(l.runs)}) {
		last--
	}
	for i := first; i <= last; i++ {
		ok = ok || l.begins(i) && l.repeats(span{end: i}) && l.repeats(span{first: i, end: len(l.runs)})
	}
	if spans := l.exactSpans(); ok && len(spans) > 0 {
		ok = l.same(spans[len(spans)-1].center, l.runs[len(l.runs)-1].Value)
	}
	return needs, ok
}

// exactOutliers returns the runs that differ from their level.
func (l *Line) exactOutliers(spans []span) (out []Outlier) {
	closed := 0
	for _, s := range spans {
		level := stat.Median(l.alike(s))
		for i := s.first; i < s.end; i++ {
			if m := l.runs[i]; !l.same(s.center, m.Value) {
				out = append(out, Outlier{Point: m, Change: m.Value/level - 1})
				closed++
			}
		}
	}
	stretches := l.stretches()
	for i, last := len(out)-1, len(l.runs)-1; i >= 0 && out[i].Point == l.runs[last] && last >= stretches[len(stretches)-1].first; i, last = i-1, last-1 {
		out[i].Open = true
		closed--
	}
	if 4*closed > len(l.runs) { // too many for outliers: the unit simply varies
		out = slices.DeleteFunc(out, func(o Outlier) bool { return !o.Open })
	}
	return out
}
