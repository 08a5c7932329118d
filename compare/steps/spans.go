package steps

import (
	"math"
	"slices"

	"github.com/perftrack/perftrack/compare/stat"
)

// A span is a candidate for a level, or a drift with the levels at both its ends.
type span struct {
	first, end int
	center     float64 // of the logarithms; of an exact line the value
	inliers    int     // runs within the bound of the loss
	drift      *ramp   // nil for a level
}

// at is the logarithm that the span fits to run t.
func (s span) at(t int) float64 {
	if s.drift != nil {
		return s.drift.at(t)
	}
	return s.center
}

// jump is the difference of the logarithms from the end of one span to the beginning of
// the next.
func jump(a, b span) float64 { return b.at(b.first) - a.at(a.end-1) }

// span returns the level of runs first to before end.
func (l *Line) span(first, end int) span {
	s := span{first: first, end: end}
	s.center = stat.Median(slices.Clone(l.y[first:end]))
	for _, y := range l.y[first:end] {
		if math.Abs(y-s.center) <= boundedAt*l.noise.deviation {
			s.inliers++
		}
	}
	return s
}

// merge joins two neighbours. A level joined with a drift becomes the drift's level on
// that side.
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

// closest is the largest number of runs of either side from which a step is estimated.
const closest = 30

// edge returns the values of the runs closest to the end of a span, or to its beginning.
// Those within a drift are moved along it to there.
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

// shift estimates the change between runs of two levels, relative where no value is 0.
func (l *Line) shift(old, fresh []float64) stat.Shift {
	shift, _, ok := l.shifts.Relative(old, fresh)
	if !ok {
		return l.shifts.Estimate(old, fresh)
	}
	return shift
}

// distinct reports whether the interval of the step between two spans lies on one side
// of 0, or cannot be computed.
func (l *Line) distinct(a, b span) bool {
	s := l.shift(l.edge(a, true), l.edge(b, false))
	if math.IsInf(s.Lo, -1) || math.IsInf(s.Hi, 1) {
		return true
	}
	return jump(a, b) > 0 && s.Lo > 0 || jump(a, b) < 0 && s.Hi < 0
}

// size is the size of the step between two neighbours, 0 where it may be noise.
func (l *Line) size(a, b span) float64 {
	if min(a.inliers, b.inliers) < leastLength || !l.distinct(a, b) {
		return 0
	}
	return math.Abs(jump(a, b))
}

// spans returns the levels and drifts of the line: those of the partition, with the
// weakest step removed as long as it is smaller than the smallest step to report, may be
// noise, or borders on too few runs that are no outliers.
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

// merged joins neighbours until each step is of a size that counts.
func (l *Line) merged(spans []span) []span {
	for len(spans) > 1 {
		at, least := 0, math.Inf(1) // the weakest step
		for i := 1; i < len(spans); i++ {
			a, b := spans[i-1], spans[i]
			if a.drift != nil && b.drift != nil {
				continue // two drifts are not joined
			}
			if size := l.size(a, b); size < least {
				at, least = i, size
			}
		}
		if least >= l.least {
			break
		}
		spans[at-1] = l.merge(spans[at-1], spans[at])
		spans = slices.Delete(spans, at, at+1)
	}
	return spans
}

// candidates returns the slides of the line and, between them, the levels and drifts of
// the partition: of lines of their own, because the scale of a line with a slide is wrong.
func (l *Line) candidates() (spans []span) {
	if slides := l.slides(); len(slides) > 0 {
		return l.around(slides)
	}
	l.partition()
	starts := l.part.levels()
	if len(starts) == 0 {
		starts = []int{0}
	}
	return l.partitioned(starts)
}

// around returns the slides and, between them, the candidates of lines of their own.
func (l *Line) around(slides []*ramp) (spans []span) {
	at := 0
	between := func(end int) {
		if at == end {
			return
		}
		part := NewLine(l.opt)
		for _, run := range l.runs[at:end] {
			part.Append(run)
		}
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

// moved is the span in a line of which its own is a part.
func (s span) moved(runs int, log float64) span {
	s.first, s.end, s.center = s.first+runs, s.end+runs, s.center+log
	if s.drift != nil {
		r := *s.drift
		r.first, r.end, r.begin, r.over, r.from, r.to = r.first+runs, r.end+runs, r.begin+runs, r.over+runs, r.from+log, r.to+log
		s.drift = &r
	}
	return s
}

// partitioned returns the levels that begin at starts, and drifts in place of the levels
// that they cover.
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
