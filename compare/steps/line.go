package steps

import (
	"math"
	"slices"

	"github.com/perftrack/perftrack/compare/stat"
)

// A Point is one run in a history: the center of its samples in one unit. The samples of a run
// share the state of the machine, so they count as one value.
type Point struct {
	Run, Commit string
	Value       float64
	Samples     int // the number of samples behind Value; 0 counts as one
}

// Options describes the values of a line and the steps that matter.
type Options struct {
	Unit      string  // the tidied unit
	Better    int     // +1 if higher values are better, -1 if lower, 0 if undeclared
	Threshold float64 // smallest change that matters, as a fraction; default 0.05
	// Exact is set for values without noise, such as counts. Then every change that matters is a
	// step as soon as Repeats samples on each side show it. The default of Repeats is 1.
	Exact   bool
	Repeats int
	// Accepted reports whether a change in the benchmark was accepted at a commit after last, up to
	// and including first. If Accepted is nil, nothing was accepted.
	Accepted func(last, first string) bool
}

// A Line is the history of one unit of one benchmark in one environment: one value per run, in the
// order of the commits, oldest first. [Line.Append] adds a run. The result of [Line.Course] depends
// only on the values and their order, not on earlier calls.
type Line struct {
	opt    Options
	least  float64 // the smallest step to report, as a logarithm
	runs   []Point
	zeros  bool
	lowest float64         // smallest value above 0
	y      []float64       // logarithms of the values
	slide  *sliding        // the search for slides, or nil
	steps  scaledPartition // the partition in which steps are searched for
	drift  scaledPartition // the partition in which drifts are searched for
}

// NewLine returns a line of runs, the oldest first, and keeps them. Like Append, it ignores invalid
// values.
func NewLine(opt Options, runs ...Point) *Line {
	if opt.Threshold == 0 {
		opt.Threshold = 0.05
	}
	l := &Line{opt: opt, least: math.Log1p(max(opt.Threshold/2, 4*stat.DefaultNoise)), lowest: math.Inf(1)}
	if slices.ContainsFunc(runs, func(m Point) bool { return !m.valid() }) {
		runs = slices.DeleteFunc(slices.Clone(runs), func(m Point) bool { return !m.valid() })
	}
	l.runs = slices.Clip(runs)
	l.update(0)
	return l
}

// valid reports whether the value of a run is finite and not negative.
func (m Point) valid() bool { return m.Value >= 0 && !math.IsInf(m.Value, 1) }

// Append adds the next run. It ignores negative and non-finite values, such as the NaN for a unit
// missing from the run.
func (l *Line) Append(m Point) {
	if m.valid() {
		l.runs = append(l.runs, m)
		l.update(len(l.runs) - 1)
	}
}

// update brings the logarithms up to date with runs from and later.
func (l *Line) update(from int) {
	if l.opt.Exact {
		return
	}
	low := l.lowest
	for _, m := range l.runs[from:] {
		if m.Value > 0 {
			l.lowest = min(l.lowest, m.Value)
		}
		l.zeros = l.zeros || m.Value == 0
	}
	if l.zeros && l.lowest != low {
		l.y = l.y[:0]
	}
	l.y = slices.Grow(l.y, len(l.runs)-len(l.y))
	for i := len(l.y); i < len(l.runs); i++ {
		l.add(i)
	}
}

// add adds the logarithm of run i. A value of 0 counts as half of the smallest other value.
func (l *Line) add(i int) {
	v := l.runs[i].Value
	if v == 0 {
		v = l.lowest / 2
		if math.IsInf(v, 1) {
			v = 1
		}
	}
	l.y = append(l.y, math.Log(v))
}
