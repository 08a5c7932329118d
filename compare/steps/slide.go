package steps

import (
	"math"
	"slices"

	"github.com/perftrack/perftrack/compare/stat"
)

// A slide is a drift that is plain beside the noise: run for run the line moves the same way.
//
// The partition is blind to it. A slide correlates neighbours more than any noise does, so
// that the scale takes it for noise that lasts; and where it is steep, a level of three runs
// costs more than three outliers. So slides are found first, by a test that holds for all
// noise up to a random walk: over a stretch of runs the differences of neighbours are
// independent in a random walk, and cancel each other in anything that comes back to a
// level. Student's t says how far their mean lies off 0. A step or an outlier widens the
// differences as much as it moves their mean, so that neither makes a slide, and a stair
// of steps does not.
//
// Of each run the differences are those of the medians of three runs, which are free of
// single outliers and of most of the noise.

// A stretch is a slide from this log-likelihood ratio on. It grows with the logarithm of the
// length of the line, by slideTrials, because there are more stretches to try. Of 1,000 lines of
// autoregressive noise with a coefficient of 0.9 at most 1 exceeds it, of random walks 5.
const (
	slideOdds   = 5
	slideTrials = 2
)

// slides returns the slides of the line, in order.
func (l *Line) slides() []*ramp {
	if len(l.y) <= leastDrift {
		return nil
	}
	s := l.newSliding()
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

// sliding is the search for slides.
type sliding struct {
	raw, y  []float64 // logarithms, and the medians of three of them
	squares []float64 // sums of squared differences up to each run
	commits []int     // changes of the commit up to each run
	least   float64
	odds    float64
}

func (l *Line) newSliding() *sliding {
	n := len(l.y)
	s := &sliding{raw: l.y, y: slices.Clone(l.y), squares: make([]float64, n), commits: make([]int, n), least: l.least, odds: slideOdds + slideTrials*math.Log(float64(n))}
	for i := 1; i+1 < n; i++ {
		a, b, c := l.y[i-1], l.y[i], l.y[i+1]
		s.y[i] = max(min(a, b), min(max(a, b), c))
	}
	for i := 1; i < n; i++ {
		d := s.y[i] - s.y[i-1]
		s.squares[i] = s.squares[i-1] + d*d
		s.commits[i] = s.commits[i-1]
		if l.begins(i) {
			s.commits[i]++
		}
	}
	return s
}

// ratio is twice the log-likelihood ratio of a slide from run a to run b: Student's t of the differences.
func (s *sliding) ratio(a, b int) float64 {
	n, total := float64(b-a), s.y[b]-s.y[a]
	if math.Abs(total) < s.least {
		return 0
	}
	quiet := s.least / 100 // below it differences are rounding
	spread := max(0, s.squares[b]-s.squares[a]-total*total/n) + n*quiet*quiet
	return n / 2 * math.Log1p(total*total/n/spread)
}

// within returns the slides from run first to run last: the plainest, and those before and after it.
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
		for a := first; a+length <= last; a += step {
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

// continues reports whether slide b goes on where a ends, without a step between them.
func (s *sliding) continues(a, b *ramp) bool {
	slope := func(r *ramp) float64 { return (s.y[r.over] - s.y[r.begin]) / float64(r.over-r.begin) }
	runs := b.begin - a.over
	return runs <= leastLength && slope(a)*slope(b) > 0 &&
		math.Abs(s.y[b.begin]-s.y[a.over]) < s.least+float64(runs)*max(math.Abs(slope(a)), math.Abs(slope(b)))
}

// extend takes in the runs at both ends that go on as the slide does, no farther than run first or last,
// and those beyond its ends that are too few for a level.
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

// curve fits the course of a slide: of each run the line through the runs around it.
func (l *Line) curve(r *ramp) {
	const around = 9
	r.curve = make([]float64, r.over-r.begin+1)
	for t := r.begin; t <= r.over; t++ {
		a := max(r.begin, min(t-around/2, r.over+1-around))
		r.curve[t-r.begin] = l.through(a, min(a+around, r.over+1), t)
	}
	r.from, r.to = r.curve[0], r.curve[len(r.curve)-1]
}

// through is where the line through runs first to before end is at run t: the one with the median of
// all slopes (Theil 1950).
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
