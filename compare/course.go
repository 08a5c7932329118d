package compare

import (
	"math"
	"slices"
)

// A Course is what a line shows: levels, the steps between them, and runs far
// off their level.
type Course struct {
	Runs     []Measured // of the line, the oldest first
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
	Last, First Measured // last run of the old level, first one of the new
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
	Shift    Shift
	Verdict  Verdict // Regressed, Improved, or Changed of a unit without a direction
	Accepted bool
	// InForce is set for a regression, not accepted, to whose old level no
	// later one has come back.
	InForce bool
	// Now is by what fraction the newest level lies above the old one; not
	// finite where that is 0.
	Now float64
}

// An Outlier is a run that lies off its level by more than 3.5 times the
// noise, measured by the median absolute deviation (Iglewicz and Hoaglin, How
// to Detect and Handle Outliers, 1993), and far enough to be a step.
type Outlier struct {
	Measured
	Change float64 // from the level's center, as a fraction
	// Open is set at the end of the line, where no later run says whether the
	// value is an outlier or the first of a new level.
	Open bool
}

// Course returns what the line shows so far. It must not be called by several
// goroutines at once.
func (l *Line) Course() Course {
	c := Course{Runs: slices.Clone(l.runs)}
	c.Needs, c.Enough = l.enough()
	if !l.opt.Exact {
		l.divide()
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
func (l *Line) exact(a, b float64) *Row {
	r := &Row{Unit: l.opt.Unit, Better: l.opt.Better, Base: Summary{Center: a}, Head: Summary{Center: b}}
	r.decideExact()
	return r
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

// outlierRuns is how many runs it takes to call one of them an outlier.
const outlierRuns = 5

// outliers returns the runs that lie far off what the spans say of them.
func (l *Line) outliers(spans []span) []Outlier {
	if len(l.runs) < outlierRuns {
		return nil
	}
	off := make([]float64, len(l.runs))
	for _, s := range spans {
		for i := s.first; i < s.end; i++ {
			off[i] = l.y[i] - s.at(i)
		}
	}
	absolute := make([]float64, len(off))
	for i := range off {
		absolute[i] = math.Abs(off[i])
	}
	limit := max(l.least, 3.5*normalMAD*median(absolute))
	isOut := func(i int) bool { return math.Abs(off[i]) >= limit }
	open := len(off) // from there on all are outliers to one side
	for open > 0 && isOut(open-1) && off[open-1]*off[len(off)-1] > 0 {
		open--
	}
	closed := 0
	for i := range open {
		if isOut(i) {
			closed++
		}
	}
	if 4*closed > len(off) { // that is how this unit is
		return nil
	}
	var out []Outlier
	for _, s := range spans {
		level := median(l.values(s.first, s.end))
		for i := s.first; i < s.end; i++ {
			if s.drift != nil {
				level = math.Exp(s.at(i))
			}
			if isOut(i) {
				out = append(out, Outlier{l.runs[i], l.runs[i].Value/level - 1, i >= open})
			}
		}
	}
	return out
}
