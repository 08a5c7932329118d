package steps

import (
	"math"
	"slices"

	"github.com/perftrack/perftrack/compare/stat"
)

// A slide is a drift that stands out clearly from the noise because the line moves in the same
// direction run after run.
//
// The partition cannot find a slide. A slide correlates neighbours more than any noise does, so the
// scale mistakes it for lasting noise; and if a slide is steep, a level of three runs costs more
// than three outliers. So slides are found first, by a test valid for all noise up to a random
// walk. Over a stretch of runs, the differences between neighbours are independent in a random
// walk, and cancel each other out in any line returning to a level. Student's t measures how far
// the mean of the differences is from 0. A step or an outlier increases the spread of the
// differences as much as it moves their mean, so neither counts as a slide, nor does a staircase of
// steps.
//
// The differences are between medians of three runs, free of single outliers and of most of the
// noise.

// A stretch is a slide if its log-likelihood ratio exceeds slideOdds plus slideTrials times the
// logarithm of the length of the line. The limit grows with the length because there are more
// stretches to try. Of 1,000 lines of autoregressive noise with a coefficient of 0.9, at most 1
// exceeds the limit; of 1,000 random walks, 5 do.
const (
	slideOdds   = 5
	slideTrials = 2
)

// slides returns the slides of the line, in order.
func (l *Line) slides() []*ramp {
	if len(l.y) <= leastDrift {
		return nil
	}
	s := l.sliding()
	found := s.within(0, len(l.y)-1)
	joined := found[:0]
	for _, r := range found {
		if n := len(joined); n > 0 && s.continues(joined[n-1], r) {
			joined[n-1].over = r.over
			continue
		}
		joined = append(joined, r)
	}
	for i, r := range joined {
		first, last := 0, len(l.y)-1
		if i > 0 {
			first = joined[i-1].over + 1
		}
		if i+1 < len(joined) {
			last = joined[i+1].begin - 1
		}
		s.extend(r, first, last)
		r.first, r.end = r.begin, r.over+1
		l.curve(r)
	}
	return joined
}

// sliding searches for the slides in a line.
type sliding struct {
	raw, y  []float64 // logarithms, and medians of three of them
	squares []float64 // sums of squared differences up to each run
	commits []int     // number of commit changes up to each run
	least   float64
	odds    float64
}

// sliding returns the search for the slides of the line.
func (l *Line) sliding() *sliding {
	n := len(l.y)
	if l.slide != nil && len(l.slide.y) == n {
		return l.slide
	}
	s := &sliding{raw: l.y, y: slices.Clone(l.y), squares: make([]float64, n), commits: make([]int, n), least: l.least, odds: slideOdds + slideTrials*math.Log(float64(n))}
	for i := 1; i+1 < n; i++ {
		s.y[i] = medianOfThree(l.y[i-1], l.y[i], l.y[i+1])
	}
	for i := 1; i < n; i++ {
		d := s.y[i] - s.y[i-1]
		s.squares[i] = s.squares[i-1] + d*d
		s.commits[i] = s.commits[i-1]
		if l.begins(i) {
			s.commits[i]++
		}
	}
	l.slide = s
	return s
}

// ratio returns the log-likelihood ratio of a slide from run a to run b, from Student's t of the
// differences.
func (s *sliding) ratio(a, b int) float64 {
	n, total := float64(b-a), s.y[b]-s.y[a]
	if math.Abs(total) < s.least {
		return 0
	}
	spread := max(0, s.squares[b]-s.squares[a]-total*total/n) + s.rounding(n)
	return n / 2 * math.Log1p(total*total/n/spread)
}

// rounding returns the spread of n differences too small to be anything but rounding.
func (s *sliding) rounding(n float64) float64 {
	quiet := s.least / 100
	return n * quiet * quiet
}

// next returns the first of the runs a, a+step, ... at which a stretch with a ratio above odds may
// begin, or a run too close to last for any stretch. It avoids computing most of the logarithms.
func (s *sliding) next(a, last, length, step int, odds float64) int {
	n := float64(length)
	rounding, least := s.rounding(n), math.Expm1(2*odds/n)*(1-1e-9)
	for ; a+length <= last; a += step {
		total := s.y[a+length] - s.y[a]
		if math.Abs(total) < s.least {
			continue
		}
		steady := total * total / n
		if steady > least*(max(0, s.squares[a+length]-s.squares[a]-steady)+rounding) {
			break
		}
	}
	return a
}

// within returns the slides between runs first and last: the clearest one, and those before and
// after it.
func (s *sliding) within(first, last int) []*ramp {
	best, odds := [2]int{}, s.odds
	try := func(a, b int) {
		if a >= first && b <= last && a < b && s.commits[b]-s.commits[a] >= leastDrift {
			if v := s.ratio(a, b); v > odds {
				best, odds = [2]int{a, b}, v
			}
		}
	}
	for length := leastDrift; length <= last-first; length += max(1, length/8) {
		step := max(1, length/8)
		for a := s.next(first, last, length, step, odds); a+length <= last; a = s.next(a+step, last, length, step, odds) {
			try(a, a+length)
		}
		try(last-length, last)
	}
	if best == [2]int{} {
		return nil
	}
	for step := max(1, (best[1]-best[0])/8); step > 0; step /= 2 {
		for before := -1.0; before < odds; {
			before = odds
			a, b := best[0], best[1]
			for _, da := range []int{-step, 0, step} {
				for _, db := range []int{-step, 0, step} {
					try(a+da, b+db)
				}
			}
		}
	}
	r := &ramp{begin: best[0], over: best[1]}
	return append(append(s.within(first, r.begin-1), r), s.within(r.over+1, last)...)
}

// continues reports whether slide b continues slide a without a step between them.
func (s *sliding) continues(a, b *ramp) bool {
	slope := func(r *ramp) float64 { return (s.y[r.over] - s.y[r.begin]) / float64(r.over-r.begin) }
	runs := b.begin - a.over
	return runs <= leastLength && slope(a)*slope(b) > 0 &&
		math.Abs(s.y[b.begin]-s.y[a.over]) < s.least+float64(runs)*max(math.Abs(slope(a)), math.Abs(slope(b)))
}

// extend extends the slide at both ends by the runs that continue it, but not beyond run first or
// last. It also adds the runs beyond an end if they are too few for a level.
func (s *sliding) extend(r *ramp, first, last int) {
	slope := (s.y[r.over] - s.y[r.begin]) / float64(r.over-r.begin)
	goesOn := func(a, b int) bool {
		share, raw := (s.y[b]-s.y[a])/slope, (s.raw[b]-s.raw[a])/slope
		return share > 0.5 && share < 2 || raw > 0.5 && raw < 2
	}
	level := func(a, b int) bool {
		return b-a >= leastLength || math.Abs(s.y[b]-s.y[a]) >= s.least+float64(b-a)*math.Abs(slope)
	}
	for r.begin > first && goesOn(r.begin-1, r.begin) {
		r.begin--
	}
	for r.over < last && goesOn(r.over, r.over+1) {
		r.over++
	}
	if !level(first, r.begin) {
		r.begin = first
	}
	if !level(r.over, last) {
		r.over = last
	}
}

// curve fits the shape of a slide. The value for each run is taken from a straight line through the
// runs around it.
func (l *Line) curve(r *ramp) {
	const around = 9
	r.curve = make([]float64, r.over-r.begin+1)
	for t := r.begin; t <= r.over; t++ {
		a := max(r.begin, min(t-around/2, r.over+1-around))
		r.curve[t-r.begin] = l.through(a, min(a+around, r.over+1), t)
	}
	r.from, r.to = r.curve[0], r.curve[len(r.curve)-1]
}

// through returns the value at run t of a straight line fitted through runs first to end-1. The
// slope of the line is the median of all slopes (Theil 1950).
func (l *Line) through(first, end, t int) float64 {
	var slopes, at []float64
	for i := first; i < end; i++ {
		for j := i + 1; j < end; j++ {
			slopes = append(slopes, (l.y[j]-l.y[i])/float64(j-i))
		}
	}
	slope := stat.Median(slopes)
	for i := first; i < end; i++ {
		at = append(at, l.y[i]+slope*float64(t-i))
	}
	return stat.Median(at)
}
