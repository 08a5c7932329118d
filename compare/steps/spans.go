package steps

import (
	"math"
	"slices"

	"github.com/perftrack/perftrack/compare/stat"
)

// A span is a candidate for a level, or a drift with the levels at both of its ends.
type span struct {
	first, end int
	center     float64 // center of the logarithms; in an exact line, the value
	inliers    int     // number of runs within the bound of the loss
	drift      *ramp   // nil for a level
}

// at returns the span's logarithm at run t.
func (s span) at(t int) float64 {
	if s.drift != nil {
		return s.drift.at(t)
	}
	return s.center
}

// jump returns the difference of the logarithms from the end of one span to the start of the next.
func jump(a, b span) float64 { return b.at(b.first) - a.at(a.end-1) }

// span returns the level of runs first to end-1.
func (l *Line) span(first, end int) span {
	s := span{first: first, end: end}
	s.center = stat.Median(slices.Clone(l.y[first:end]))
	for _, y := range l.y[first:end] {
		if math.Abs(y-s.center) <= boundedAt*l.steps.noise.deviation {
			s.inliers++
		}
	}
	return s
}

// merge joins two neighbouring spans. A level joined with a drift becomes the drift's level on that
// side.
func (l *Line) merge(a, b span) span {
	if a.drift == nil && b.drift == nil {
		return l.span(a.first, b.end)
	}
	r := a.drift
	if r == nil {
		r = b.drift
	}
	whole := *r
	whole.first, whole.end = a.first, b.end
	if r.curve != nil && a.drift == nil {
		whole.from = a.center
	} else if r.curve != nil {
		whole.to = b.center
	}
	return span{first: a.first, end: b.end, inliers: a.inliers + b.inliers, drift: &whole}
}

// closest is the largest number of runs per side used to estimate the size of a step.
const closest = 30

// edge returns the values of the runs closest to the end of a span, or to its start if end is
// false. The values of runs within a drift are moved along it to that point.
func (l *Line) edge(s span, end bool) []float64 {
	if s.drift == nil {
		if end {
			return l.values(max(s.first, s.end-closest), s.end)
		}
		return l.values(s.first, min(s.end, s.first+closest))
	}
	r := s.drift
	middle := (r.begin + r.over) / 2
	first, to := max(s.first, r.begin-closest/2), r.from
	last := min(middle, first+closest)
	if end {
		last, to = min(s.end, r.over+closest/2), r.to
		first = max(middle, last-closest)
	}
	var out []float64
	for t := first; t < last; t++ {
		out = append(out, math.Exp(l.y[t]-r.at(t)+to))
	}
	return out
}

// spread returns the values of up to 30 runs spread evenly over a level.
func (l *Line) spread(s span) (out []float64) {
	n := s.end - s.first
	for k := range min(n, closest) {
		out = append(out, l.runs[s.first+(2*k+1)*n/(2*min(n, closest))].Value)
	}
	return out
}

// shifts caches the ranks for up to 30 runs per side and is shared by all lines.
var shifts = stat.Unpaired{Tail: 0.025}

// shift estimates the change between the runs of two levels. It is relative unless a value is 0.
func (l *Line) shift(old, fresh []float64) stat.Shift {
	shift, _, ok := shifts.Relative(old, fresh)
	if !ok {
		return shifts.Estimate(old, fresh)
	}
	return shift
}

// distinct reports whether the interval of the step between two spans lies on the same side of 0 as
// the step, or cannot be computed.
func (l *Line) distinct(a, b span) bool {
	side, ok := shifts.Side(l.beside(a, b))
	return !ok || float64(side)*jump(a, b) > 0
}

// beside returns the runs closest to the step between two spans, as logarithms unless a value is 0.
func (l *Line) beside(a, b span) (old, fresh []float64) {
	if a.drift == nil && b.drift == nil && !l.zeros {
		return l.y[max(a.first, a.end-closest):a.end], l.y[b.first:min(b.end, b.first+closest)]
	}
	old, fresh = l.edge(a, true), l.edge(b, false)
	oldLogs, ok := stat.Logs(old)
	freshLogs, also := stat.Logs(fresh)
	if ok && also {
		return oldLogs, freshLogs
	}
	return old, fresh
}

// size returns the size of the step between two neighbouring spans, or 0 if it may be noise.
func (l *Line) size(a, b span) float64 {
	if min(a.inliers, b.inliers) < leastLength || !l.distinct(a, b) {
		return 0
	}
	return math.Abs(jump(a, b))
}

// spans returns the levels and drifts of the line: the candidates without the weakest steps. A step
// is removed if it is smaller than the smallest step to report, may be noise, or has too few runs
// beside it, not counting outliers.
func (l *Line) spans() []span {
	if l.opt.Exact {
		return l.exactSpans()
	}
	if len(l.runs) == 0 {
		return nil
	}
	spans := l.merged(l.candidates())
	first, last := spans[0], spans[len(spans)-1]
	if r := l.settling(); r != nil && math.Abs(last.at(last.end-1)-first.at(first.first)) < settledUntold*math.Abs(r.to-r.from) {
		return l.merged(l.around([]*ramp{r}))
	}
	return spans
}

// merged joins neighbouring spans until every remaining step is large enough.
func (l *Line) merged(spans []span) []span {
	sizes := make([]float64, len(spans)) // sizes[i]: the size of the step before span i, or NaN if it is unknown
	for i := range sizes {
		sizes[i] = math.NaN()
	}
	for len(spans) > 1 {
		at, least := 0, math.Inf(1) // the weakest step
		for i := 1; i < len(spans); i++ {
			if math.IsNaN(sizes[i]) {
				sizes[i] = l.joinable(spans[i-1], spans[i])
			}
			if sizes[i] < least {
				at, least = i, sizes[i]
			}
		}
		if least >= l.least {
			break
		}
		spans[at-1] = l.merge(spans[at-1], spans[at])
		spans, sizes = slices.Delete(spans, at, at+1), slices.Delete(sizes, at, at+1)
		for i := at - 1; i <= at && i < len(sizes); i++ {
			sizes[i] = math.NaN()
		}
	}
	return spans
}

// joinable returns the size of the step between two neighbouring spans, or infinity for two drifts,
// which are never joined.
func (l *Line) joinable(a, b span) float64 {
	if a.drift != nil && b.drift != nil {
		return math.Inf(1)
	}
	return l.size(a, b)
}

// candidates returns the slides of the line and, between them, the levels and drifts of the
// partition. The runs between slides are partitioned as separate lines, because the scale of a line
// with a slide is wrong.
func (l *Line) candidates() (spans []span) {
	if slides := l.slides(); len(slides) > 0 {
		return l.around(slides)
	}
	l.partition()
	starts := l.steps.levels()
	if len(starts) == 0 {
		starts = []int{0}
	}
	return l.partitioned(starts)
}

// around returns the slides and, between them, the candidates of separate lines.
func (l *Line) around(slides []*ramp) (spans []span) {
	at := 0
	between := func(end int) {
		if at == end {
			return
		}
		part := NewLine(l.opt, l.runs[at:end]...)
		for _, s := range part.candidates() {
			spans = append(spans, s.moved(at, l.y[at]-part.y[0]))
		}
	}
	for _, r := range slides {
		between(r.begin)
		spans, at = append(spans, span{first: r.first, end: r.end, inliers: r.end - r.first, drift: r}), r.end
	}
	between(len(l.runs))
	return spans
}

// moved converts a span of one line to a span of a longer line containing it. It adds runs to the
// span's positions and log to its logarithms.
func (s span) moved(runs int, log float64) span {
	s.first, s.end, s.center = s.first+runs, s.end+runs, s.center+log
	if s.drift != nil {
		r := *s.drift
		r.first, r.end, r.begin, r.over, r.from, r.to = r.first+runs, r.end+runs, r.begin+runs, r.over+runs, r.from+log, r.to+log
		s.drift = &r
	}
	return s
}

// partitioned returns the levels that begin at starts, with drifts in place of the levels they
// cover.
func (l *Line) partitioned(starts []int) (spans []span) {
	at := 0 // all runs before it are in spans
	level := func(end int) {
		if at < end {
			spans, at = append(spans, l.span(at, end)), end
		}
	}
	ramps := l.ramps()
	for i := range starts {
		end := len(l.y)
		if i+1 < len(starts) {
			end = starts[i+1]
		}
		for len(ramps) > 0 && ramps[0].first < end {
			r := ramps[0]
			level(r.first)
			spans, at, ramps = append(spans, span{first: r.first, end: r.end, inliers: r.end - r.first, drift: r}), r.end, ramps[1:]
		}
		level(end)
	}
	return spans
}
