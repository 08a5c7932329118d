package compare

import (
	"math"
	"slices"
)

// A Measured is what one run of a history measured of one unit: the center of
// its samples, which share the state that the machine was in.
type Measured struct {
	Run, Commit string
	Value       float64
}

// LineOptions say what a line measures and which of its steps matter.
type LineOptions struct {
	Unit      string  // tidied
	Better    int     // +1 higher values are better, -1 lower, 0 nobody said
	Threshold float64 // smallest change worth blocking, as a fraction; default 0.05
	// Exact is set where repetition shows no noise. Then every change that
	// matters is a step, after one run.
	Exact bool
	// Accepted reports whether the benchmark may have changed between two
	// commits: after last, in first or before it. Nil accepts nothing.
	Accepted func(last, first string) bool
}

// A Line is what the runs of one benchmark in one environment measured of one
// unit, in the order of their commits, the oldest first: one value a run. It
// grows by [Line.Append]. What it finds depends on the values and their order
// only, not on when it was asked.
type Line struct {
	opt    LineOptions
	least  float64 // the smallest step that is reported, as a logarithm
	runs   []Measured
	zeros  bool
	lowest float64    // least value above 0
	y      []float64  // logarithms
	near   []float64  // differences of neighbours, without their sign, sorted
	far    []float64  // of runs two apart
	noise  scale      // of the partition
	part   *partition // nil in an exact line
	drift  divided    // for drifts
	shifts shifter
}

// NewLine returns a line without runs.
func NewLine(opt LineOptions) *Line {
	if opt.Threshold == 0 {
		opt.Threshold = 0.05
	}
	return &Line{opt: opt, least: FloorFor(opt.Threshold, 0).Least, lowest: math.Inf(1), shifts: shifter{tail: 0.025}}
}

// Append adds the next run. What is not a finite number of 0 or more, such as a
// unit that the run did not report, is no value and is left out.
func (l *Line) Append(m Measured) {
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
		l.take(i)
	}
}

// take adds the logarithm of run i and its differences. A 0 counts as half of
// the smallest other value.
func (l *Line) take(i int) {
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

// divide brings the partition up to the last run. It goes on where it was, so
// that a further run costs time linear in the length of the line, unless the
// noise has changed by a fifth or the length doubled: then it begins anew.
func (l *Line) divide() {
	now := divided{l.noise, l.part}
	l.divideBy(&now, l.scale())
	l.noise, l.part = now.noise, now.part
	if s := l.lasting(); s != l.noise {
		l.divideBy(&l.drift, s)
	} else {
		l.drift = now
	}
}

// A divided is a partition in units of some noise.
type divided struct {
	noise scale
	part  *partition
}

func (l *Line) divideBy(d *divided, s scale) {
	if s != d.noise || d.part == nil {
		*d = divided{s, &partition{penalty: s.penalty}}
	}
	for i := len(d.part.z); i < len(l.y); i++ {
		d.part.append((l.y[i]-l.y[0])/d.noise.deviation, l.begins(i))
	}
}

// A scale is what the noise of a line makes of the partition.
type scale struct{ deviation, penalty float64 }

// scale estimates the noise from the differences of neighbours, of which steps
// and outliers are few. Where runs that follow each other are alike, because
// the machine's state outlasts a run, differences show too little of it: the
// correlation is estimated from how much larger the differences of runs two
// apart are (after Chakar, Lebarbier, Lévy-Leduc and Robin, "A robust approach for
// estimating change-points in the mean of an AR(1) process", Bernoulli 23
// (2017)), and a level must then be worth more. Noise of less than half a step
// makes no steps, however it lasts.
//
// Both figures go up a ladder, so that another run seldom changes them.
func (l *Line) scale() scale { return l.scaleOf(l.least / 2) }

// lasting is the scale for what drifts: all noise that lasts counts as such.
func (l *Line) lasting() scale { return l.scaleOf(0) }

// scaleOf is the scale where noise of up to some size does not last.
func (l *Line) scaleOf(short float64) scale {
	n := len(l.y)
	length := 64.0
	for length < float64(n) {
		length *= 2
	}
	floor := l.least / 6
	s := scale{floor, 3 * math.Log(length)}
	if n < 2 {
		return s
	}
	near := middleOf(l.near)
	noise := near / (0.6745 * math.Sqrt2)
	if n >= correlatedRuns && near > 0 {
		// Less one and a half standard errors: penalties for what is not there
		// would hide steps.
		rho := meanSquare(l.far)/meanSquare(l.near) - 1 - 1.5/math.Sqrt(float64(n))
		rho = min(0.75, max(0, math.Floor(4*rho)/4))
		if lasting := noise / math.Sqrt(1-rho); lasting > short {
			noise = lasting
			s.penalty *= (1 + rho) / (1 - rho)
		}
	}
	if noise > floor {
		s.deviation = floor * math.Exp2(math.Ceil(4*math.Log2(noise/floor))/4)
	}
	return s
}

// correlatedRuns is how many runs it takes to see that they are correlated.
const correlatedRuns = 20

func middleOf(sorted []float64) float64 {
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

// meanSquare leaves out the largest eighth, which is where steps and outliers are.
func meanSquare(sorted []float64) float64 {
	total := 0.0
	sorted = sorted[:len(sorted)-len(sorted)/8]
	for _, v := range sorted {
		total += v * v
	}
	return total / float64(len(sorted))
}

// Follows reports whether a tidied unit follows from the time of the same
// benchmark, or is an extreme of it, so that its steps are those of the time.
func Follows(unit string) bool {
	return isDerived(unit) || unit == "min-sec/op" || unit == "max-sec/op"
}
