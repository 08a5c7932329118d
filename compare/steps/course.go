package steps

import (
	"math"
	"slices"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/stat"
)

// A Course is what a line shows: its levels, the steps between them, and outliers.
type Course struct {
	Runs     []Point // of the line, the oldest first
	Levels   []Level
	Steps    []Step
	Outliers []Outlier
	Stand    Stand // how it stands after the newest run
	// Needs is the smallest number of runs in which a step can be found. Enough is set
	// where one could be: there are as many, on both sides of some commit. Without it,
	// that no step was found says nothing.
	Needs  int
	Enough bool
}

// A Level is a stretch of runs, Course.Runs[First:End], that differ by noise only.
// Center is their median. Runs within a drift belong to no level.
type Level struct {
	First, End int
	Center     float64
}

// noiseRuns is the least number of runs of a level that say how much it scatters.
const noiseRuns = 4

// Noise is by how much runs scatter within the newest level: their median absolute deviation,
// scaled to the standard deviation of normal values, over the center of the level. It is NaN for fewer
// than four runs.
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

// A Step is where one level ends and the next begins: a change by one of the commits
// after Last up to First, or by several in a drift. Its two sides are unpaired, so that
// it is a reason to measure them side by side, not a proof.
type Step struct {
	Last, First Point // last run of the old level, first one of the new
	// Drift is the number of runs over which the value moved from one level to the other;
	// 0 for a step at one place.
	Drift int
	// From and To are the medians of up to 30 runs of either level: the ones closest to
	// the step or, where these differ by less than half of what the levels do, runs spread
	// evenly over them. For a drift, runs are moved along it to its ends.
	From, To float64
	// Shift is the change from From to To, with the 95 % confidence interval that is the
	// dual of the Mann-Whitney test of the same runs, widened where it leaves that change
	// out. That the place of the step was itself estimated is not in the interval.
	Shift    stat.Shift
	Verdict  compare.Verdict // Regressed, Improved, or Changed for a unit without a direction
	Accepted bool
	// InForce is set for a regression that was not accepted, and after which no level was
	// as good as the one before it again.
	InForce bool
	// Found is what a bisection found of the step; zero without one.
	Found Found
	// Recovers is set for a step for the better to a level that is no better than one before.
	Recovers bool
	// Now is the change from the level before the step to the newest one, as a fraction;
	// not finite where the former is 0.
	Now float64
}

// Course returns what the line shows so far. It is not safe for concurrent use.
func (l *Line) Course() Course {
	c := Course{Runs: slices.Clone(l.runs)}
	c.Needs, c.Enough = l.enough()
	l.describe(&c, l.spans())
	return c
}

// enough returns the number of runs that a step takes, and whether there is a place for
// one: a commit with a level's runs before it and after it.
func (l *Line) enough() (needs int, ok bool) {
	if l.opt.Exact {
		return l.enoughExact()
	}
	for i := leastLength; i+leastLength <= len(l.runs); i++ {
		ok = ok || l.begins(i)
	}
	return 2 * leastLength, ok
}

// begins reports whether a level may begin at run i: not between two runs of one commit,
// which measured the same code.
func (l *Line) begins(i int) bool {
	return i > 0 && (l.runs[i].Commit == "" || l.runs[i].Commit != l.runs[i-1].Commit)
}

func (l *Line) values(first, end int) []float64 {
	var out []float64
	for _, m := range l.runs[first:end] {
		out = append(out, m.Value)
	}
	return out
}
