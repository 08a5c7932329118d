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
// but for noise. Center is their median.
type Level struct {
	First, End int
	Center     float64
}

// A Step is where one level ends and another begins. It is a change of the
// commits after Last up to First: of more than one where not all between them
// were measured. Runs of both sides were measured apart, so that it is a
// reason to measure them side by side, not a proof.
type Step struct {
	Last, First Measured // last run of the old level, first one of the new
	From, To    float64  // centers of the levels
	// Shift estimates the size from the 30 runs of both levels that are
	// closest, by Hodges and Lehmann, with the interval that is the dual of the
	// Mann-Whitney test at 95 %. It takes the place of the step as given.
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
	spans := l.spans()
	for _, s := range spans {
		c.Levels = append(c.Levels, Level{s.first, s.end, median(l.values(s.first, s.end))})
	}
	for i := 1; i < len(c.Levels); i++ {
		c.Steps = append(c.Steps, l.step(c.Levels, i))
	}
	if !l.opt.Exact {
		c.Outliers = l.outliers(c.Levels)
	}
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

// closest is how many runs of each side the size of a step is estimated from.
const closest = 30

// step is the one to level i.
func (l *Line) step(levels []Level, i int) Step {
	a, b := levels[i-1], levels[i]
	s := Step{Last: l.runs[a.End-1], First: l.runs[b.First], From: a.Center, To: b.Center}
	var change int
	s.Shift, change = l.change(a, b)
	s.Verdict = direction(change, l.opt.Better)
	s.Now = levels[len(levels)-1].Center/a.Center - 1
	if l.opt.Accepted != nil {
		s.Accepted = l.opt.Accepted(s.Last.Commit, s.First.Commit)
	}
	s.InForce = s.Verdict == Regressed && !s.Accepted
	for _, later := range levels[i:] {
		if l.differ(a, later) != change {
			s.InForce = false
		}
	}
	return s
}

// change is the size of the step between two neighbouring levels, and whether
// it goes up (+1) or down (-1).
func (l *Line) change(a, b Level) (Shift, int) {
	if l.opt.Exact {
		r := l.exact(a.Center, b.Center)
		return r.Shift, sign(b.Center - a.Center)
	}
	return l.shift(a.First, a.End, b.End), sign(b.Center - a.Center)
}

// shift is the estimated size of a step between runs first to before at, and
// those up to before end.
func (l *Line) shift(first, at, end int) Shift {
	old, fresh := l.values(max(first, at-closest), at), l.values(at, min(end, at+closest))
	shift, _, ok := l.shifts.relative(old, fresh)
	if !ok {
		return l.shifts.estimate(old, fresh)
	}
	return shift
}

// differ returns +1 or -1 where b lies above or below a by as much as a step.
func (l *Line) differ(a, b Level) int {
	if l.opt.Exact {
		if l.exact(a.Center, b.Center).Verdict == Unchanged {
			return 0
		}
	} else if math.Abs(l.center(b)-l.center(a)) < l.least {
		return 0
	}
	return sign(b.Center - a.Center)
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

// center is the median of the logarithms.
func (l *Line) center(v Level) float64 { return median(slices.Clone(l.y[v.First:v.End])) }

// A span is a level in the making.
type span struct {
	first, end int
	center     float64 // of the logarithms
	inliers    int     // runs within the bound of the partition
}

func (l *Line) span(first, end int) span {
	s := span{first: first, end: end}
	s.center = median(slices.Clone(l.y[first:end]))
	for _, y := range l.y[first:end] {
		if math.Abs(y-s.center) <= boundedAt*l.noise.deviation {
			s.inliers++
		}
	}
	return s
}

// apart reports whether the interval of a step, where there is one, leaves out 0.
func (l *Line) apart(a, b span) bool {
	s := l.shift(a.first, a.end, b.end)
	return s.Lo > 0 || s.Hi < 0 || math.IsInf(s.Lo, -1) || math.IsInf(s.Hi, 1)
}

// spans returns the levels of the partition, where neighbours are one that are
// closer than the smallest step, or of too few runs but outliers, or whose
// step may be none.
func (l *Line) spans() []span {
	if l.opt.Exact {
		return l.exactSpans()
	}
	if len(l.runs) == 0 {
		return nil
	}
	starts := l.part.levels()
	if len(starts) == 0 {
		starts = []int{0}
	}
	var spans []span
	for i, first := range starts {
		end := len(l.y)
		if i+1 < len(starts) {
			end = starts[i+1]
		}
		spans = append(spans, l.span(first, end))
	}
	for len(spans) > 1 {
		at, least := 0, math.Inf(1) // the weakest step
		for i := 1; i < len(spans); i++ {
			a, b := spans[i-1], spans[i]
			size := math.Abs(b.center - a.center)
			if min(a.inliers, b.inliers) < leastLength || !l.apart(a, b) {
				size = 0
			}
			if size < least {
				at, least = i, size
			}
		}
		if least >= l.least {
			break
		}
		spans[at-1] = l.span(spans[at-1].first, spans[at].end)
		spans = slices.Delete(spans, at, at+1)
	}
	return spans
}

// exactSpans begins a level at each run that differs from the one before by as
// much as matters.
func (l *Line) exactSpans() []span {
	var spans []span
	for i, m := range l.runs {
		if n := len(spans); n > 0 {
			if !l.begins(i) || l.exact(l.runs[spans[n-1].first].Value, m.Value).Verdict == Unchanged {
				spans[n-1].end = i + 1
				continue
			}
		}
		spans = append(spans, span{first: i, end: i + 1})
	}
	return spans
}

// outlierRuns is how many runs it takes to call one of them an outlier.
const outlierRuns = 5

func (l *Line) outliers(levels []Level) []Outlier {
	if len(l.runs) < outlierRuns {
		return nil
	}
	off := make([]float64, len(l.runs))
	for _, v := range levels {
		center := l.center(v)
		for i := v.First; i < v.End; i++ {
			off[i] = l.y[i] - center
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
	for _, v := range levels {
		for i := v.First; i < v.End; i++ {
			if isOut(i) {
				out = append(out, Outlier{l.runs[i], l.runs[i].Value/v.Center - 1, i >= open})
			}
		}
	}
	return out
}
