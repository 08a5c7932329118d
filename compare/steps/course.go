package steps

import (
	"slices"

	"github.com/perftrack/perftrack/compare"
)

// A Course is what a line shows: levels, the steps between them, and runs far
// off their level.
type Course struct {
	Runs     []Point // of the line, the oldest first
	Levels   []Level
	Steps    []Step
	Outliers []Outlier
	// Needs is how many runs a step takes: of fewer, that there is none says
	// nothing. Enough is set where there are so many, and not all on one side of
	// every commit that a level could begin at.
	Needs  int
	Enough bool
}

// A Level is consecutive runs, Course.Runs[First:End], that measured the same
// but for noise. Center is their median. The runs of a drift are of no level.
type Level struct {
	First, End int
	Center     float64
}

// A Step is where one level ends and another begins. It is a change of the
// commits after Last up to First: of more than one where not all between them
// were measured, or where it is a drift. Runs of both sides were measured apart,
// so that it is a reason to measure them side by side, not a proof.
type Step struct {
	Last, First Point // last run of the old level, first one of the new
	// Drift is the number of runs in which the value went from the one level to
	// the other, little by little; 0 of a step.
	Drift int
	// From and To are the medians of up to 30 runs of either level: of the closest
	// ones, or where those differ by less than half of what the levels do, of such
	// that lie all over them. Of a drift they are moved along it to its ends.
	From, To float64
	// Shift.Center is the change from From to To. Its interval is the dual of the
	// Mann-Whitney test of the same runs at 95 %, made wider where it leaves that
	// out. It takes the place of the step as given.
	Shift    compare.Shift
	Verdict  compare.Verdict // Regressed, Improved, or Changed of a unit without a direction
	Accepted bool
	// InForce is set for a regression, not accepted, to whose old level no
	// later one has come back.
	InForce bool
	// Now is by what fraction the newest level lies above the old one; not
	// finite where that is 0.
	Now float64
}

// Course returns what the line shows so far. It must not be called by several
// goroutines at once.
func (l *Line) Course() Course {
	c := Course{Runs: slices.Clone(l.runs)}
	c.Needs, c.Enough = l.enough()
	if !l.opt.Exact {
		l.partition()
	}
	l.describe(&c, l.spans())
	return c
}

// enough returns how many runs a step takes, and whether one could be found:
// there is a place for one with a level's runs before it and after it.
func (l *Line) enough() (needs int, ok bool) {
	length := leastLength
	if l.opt.Exact {
		length = 1
	}
	for i := length; i+length <= len(l.runs); i++ {
		ok = ok || l.begins(i)
	}
	return 2 * length, ok
}

// begins reports whether a level may begin at run i: runs of one commit measured
// the same code.
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

// exact weighs two values without noise as a comparison does.
func (l *Line) exact(a, b float64) (compare.Shift, compare.Verdict) {
	return compare.Exact(l.opt.Unit, l.opt.Better, a, b)
}

func sign(x float64) int {
	switch {
	case x > 0:
		return +1
	case x < 0:
		return -1
	}
	return 0
}
