package steps

import (
	"math"
	"slices"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/stat"
)

// A Course is the shape of a line: its levels, the steps between them, and its outliers.
type Course struct {
	Runs     []Point // runs of the line, oldest first
	Levels   []Level
	Steps    []Step
	Outliers []Outlier
	Stand    Stand // the state of the line after the newest run
	// Needs is the smallest number of runs in which a step can be found. Enough is set if a step
	// could be found because some commit has enough runs on both sides. Otherwise the absence of a
	// step proves nothing.
	Needs  int
	Enough bool
}

// A Level is a stretch of runs, Course.Runs[First:End], that differ only by noise. Center is their
// median. Runs within a drift do not belong to any level.
type Level struct {
	First, End int
	Center     float64
}

// noiseRuns is the smallest number of runs in a level from which its noise can be estimated.
const noiseRuns = 4

// Noise returns the scatter of the runs in the newest level: their median absolute deviation,
// scaled to the standard deviation of normal values and divided by the center of the level. It
// returns NaN for fewer than four runs.
func (c Course) Noise() float64 {
	if len(c.Levels) == 0 {
		return math.NaN()
	}
	l := c.Levels[len(c.Levels)-1]
	if l.End-l.First < noiseRuns || !(l.Center > 0) {
		return math.NaN()
	}
	var off []float64
	for _, p := range c.Runs[l.First:l.End] {
		off = append(off, math.Abs(p.Value-l.Center))
	}
	return stat.NormalMAD * stat.Median(off) / l.Center
}

// A Step is the border between two levels: a change made by one of the commits after Last, up to
// and including First, or by several of them in a drift. Its two sides are unpaired, so a step
// proves nothing: it is a reason to measure both sides together.
type Step struct {
	Last, First Point // last run of the old level and first run of the new one
	// Drift is the number of runs over which the value moved from one level to the other, or 0 for
	// a step between two runs.
	Drift int
	// From and To are the medians of up to 30 runs from each level. These are the runs closest to the
	// step or, if the medians of those differ by less than half of the difference between the levels,
	// runs spread evenly over the levels. For a drift, the runs are first moved along the drift to its
	// ends.
	From, To float64
	// Shift is the change from From to To, with the 95 % confidence interval dual to the
	// Mann-Whitney test of the same runs, widened to contain the change. The interval ignores the
	// uncertainty in the position of the step.
	Shift    stat.Shift
	Verdict  compare.Verdict // Regressed, Improved, or Changed for a unit without a direction
	Accepted bool
	// Unresolved is set for a regression if it was not accepted and no later level is as good as
	// the level before the step.
	Unresolved bool
	// Found is the result of a bisection of the step, or zero if there was none.
	Found Found
	// Recovers is set for an improvement if an earlier level was as good as the new one or better.
	Recovers bool
	// Now is the change from the level before the step to the newest level, as a fraction. It is not
	// finite if the level before the step is 0.
	Now float64
}

// Course returns the course of the line so far. It is not safe for concurrent use.
func (l *Line) Course() Course {
	c := Course{Runs: slices.Clip(l.runs)} // Append does not change them
	c.Needs, c.Enough = l.enough()
	l.describe(&c, l.spans())
	return c
}

// enough returns the number of runs needed to find a step, and whether a step could be found: some
// commit must have enough runs for a level before it and after it.
func (l *Line) enough() (needs int, ok bool) {
	if l.opt.Exact {
		return l.enoughExact()
	}
	for i := leastLength; i+leastLength <= len(l.runs); i++ {
		ok = ok || l.begins(i)
	}
	return 2 * leastLength, ok
}

// begins reports whether a level may begin at run i. It may not begin between two runs of one
// commit, because they measured the same code.
func (l *Line) begins(i int) bool {
	return i > 0 && (l.runs[i].Commit == "" || l.runs[i].Commit != l.runs[i-1].Commit)
}

func (l *Line) values(first, end int) []float64 {
	out := make([]float64, 0, end-first)
	for _, m := range l.runs[first:end] {
		out = append(out, m.Value)
	}
	return out
}
