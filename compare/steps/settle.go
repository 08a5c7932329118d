package steps

import (
	"math"
	"slices"

	"github.com/perftrack/perftrack/compare/stat"
)

// A line settles where it rises steeply, ever slower, and then stays: 60 % of the rise in the
// first 6 commits, say. No test that holds for a random walk finds such a slide, because the few
// large differences at its begin are most of its variance, and its correlation hides it from the
// partition, so that +100 % was one level with much noise. What tells it from noise that lasts is
// the quiet end: noise of any kind scatters as much there as it did before.
const (
	settledTimes  = 5    // the rise is so many times the range of the last third
	settledNear   = 0.05 // of the rise: so near to an end is at it
	settledMiddle = 3    // runs between the ends at the least; else it is a step, or outliers
	settledUntold = 0.6  // of the rise: if steps tell less of it, it is told as a slide
	settledMoves  = 0.005
	settledOnward = 0.6 // of the runs between the ends move on, by so much of the rise
	settledHead   = 5   // runs whose median is the begin
)

// settling returns the slide of a line that settles, nil if it does not. It is for lines in which
// nothing else tells the rise: a stair of steps may look so, too.
func (l *Line) settling() *ramp {
	n := len(l.y)
	if n < 2*leastDrift {
		return nil
	}
	s := l.newSliding()
	tail := s.y[n-n/3 : n-1] // the last is no median of three
	scatter := slices.Max(tail) - slices.Min(tail)
	from, to := stat.Median(slices.Sorted(slices.Values(l.y[:settledHead]))), stat.Median(slices.Sorted(slices.Values(tail)))
	rise := math.Abs(to - from)
	if rise < max(l.least, settledTimes*scatter) {
		return nil
	}
	near := max(scatter, settledNear*rise)
	r := &ramp{over: n - n/3}
	for r.begin+1 < n && math.Abs(s.y[r.begin+1]-from) <= near && math.Abs(s.y[r.begin]-from) <= near {
		r.begin++
	}
	for r.over > r.begin && math.Abs(s.y[r.over-1]-to) <= near {
		r.over--
	}
	middle, onward := 0, 0
	for t := r.begin; t < r.over; t++ {
		if math.Abs(s.y[t]-from) > near && math.Abs(s.y[t]-to) > near {
			middle++
		}
		if (s.y[t+1]-s.y[t])/(to-from) > settledMoves {
			onward++
		}
	}
	if float64(onward) < settledOnward*float64(r.over-r.begin) {
		return nil // a stair of steps
	}
	r.over = min(max(r.over, r.begin+leastDrift), n-1)
	if middle < settledMiddle || s.commits[r.over]-s.commits[r.begin] < leastDrift {
		return nil
	}
	r.first, r.end = r.begin, r.over+1
	r.curve = slices.Clone(s.y[r.begin:r.end]) // a line through many runs would cut the steep begin
	r.from, r.to = r.curve[0], r.curve[len(r.curve)-1]
	return r
}
