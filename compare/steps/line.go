package steps

import (
	"math"
	"slices"

	"github.com/perftrack/perftrack/compare/stat"
)

// A Point is one run of a history: the center of its samples of one unit. Samples of one
// run share the state of the machine, so that they count as one value.
type Point struct {
	Run, Commit string
	Value       float64
	Samples     int // of which Value is the center; 0 counts as one
}

// Options say what the values of a line are and which of its steps matter.
type Options struct {
	Unit      string  // tidied
	Better    int     // +1 higher values are better, -1 lower, 0 nobody said
	Threshold float64 // smallest change worth blocking, as a fraction; default 0.05
	// Exact is set for values without noise, such as counts. Then every change that
	// matters is a step, once Repeats samples of either side show it; default 1.
	Exact   bool
	Repeats int
	// Accepted reports whether a change of the benchmark was accepted on a commit after
	// last, up to and including first. Nil accepts nothing.
	Accepted func(last, first string) bool
}

// A Line is the history of one unit of one benchmark in one environment: one value a
// run, in the order of the commits, the oldest first. It grows by [Line.Append]. What
// [Line.Course] returns depends on the values and their order only, not on earlier calls.
type Line struct {
	opt    Options
	least  float64 // the smallest step that is reported, as a logarithm
	runs   []Point
	zeros  bool
	lowest float64         // smallest value above 0
	y      []float64       // logarithms
	near   []float64       // absolute differences of neighbours, sorted
	far    []float64       // the same of runs two apart
	noise  scale           // of the partition
	part   *partition      // nil in an exact line
	drift  scaledPartition // of the partition in which drifts are looked for
	shifts *stat.Unpaired
}

// NewLine returns a line without runs.
func NewLine(opt Options) *Line {
	if opt.Threshold == 0 {
		opt.Threshold = 0.05
	}
	return &Line{opt: opt, least: stat.FloorFor(opt.Threshold, 0).Least, lowest: math.Inf(1), shifts: &stat.Unpaired{Tail: 0.025}}
}

// Append adds the next run. A value that is negative or not finite, as of a unit that
// the run did not report, is left out.
func (l *Line) Append(m Point) {
	if !(m.Value >= 0) || math.IsInf(m.Value, 1) {
		return
	}
	l.runs = append(l.runs, m)
	if l.opt.Exact {
		return
	}
	low := l.lowest
	if m.Value > 0 {
		l.lowest = min(l.lowest, m.Value)
	}
	l.zeros = l.zeros || m.Value == 0
	if l.zeros && l.lowest != low {
		l.y, l.near, l.far, l.part, l.drift.part = l.y[:0], l.near[:0], l.far[:0], nil, nil
	}
	for i := len(l.y); i < len(l.runs); i++ {
		l.add(i)
	}
}

// add adds the logarithm of run i and its differences from earlier runs. A 0 counts as
// half of the smallest other value.
func (l *Line) add(i int) {
	v := l.runs[i].Value
	if v == 0 {
		v = l.lowest / 2
		if math.IsInf(v, 1) {
			v = 1
		}
	}
	l.y = append(l.y, math.Log(v))
	if i > 0 {
		l.near = insert(l.near, math.Abs(l.y[i]-l.y[i-1]))
	}
	if i > 1 {
		l.far = insert(l.far, math.Abs(l.y[i]-l.y[i-2]))
	}
}

func insert(sorted []float64, v float64) []float64 {
	at, _ := slices.BinarySearch(sorted, v)
	return slices.Insert(sorted, at, v)
}
