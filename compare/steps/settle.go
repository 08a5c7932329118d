package steps

import (
	"math"
	"slices"

	"github.com/perftrack/perftrack/compare/stat"
)

// A line settles if it rises steeply, then ever more slowly, and finally stays level: for example,
// if 60 % of the rise happens in the first 6 commits. No test valid for a random walk finds such a
// slide, because the few large differences at its start make up most of its variance. Its
// correlation also hides it from the partition, so even a rise of 100 % would count as one level
// with much noise. It differs from lasting noise by its quiet end, because noise of any kind
// scatters as much at the end as before.
const (
	settledTimes  = 5    // smallest ratio of the rise to the range of the last third
	settledNear   = 0.05 // a run within this fraction of the rise from an end counts as being at that end
	settledMiddle = 3    // smallest number of runs between the ends; fewer are a step or outliers
	settledUntold = 0.6  // if the steps show less than this fraction of the rise, the line is shown as a slide
	settledMoves  = 0.005
	settledOnward = 0.6 // smallest fraction of the runs between the ends to continue the rise
	settledHead   = 5   // number of runs whose median is the start
)

// settling returns the slide of a settling line, or nil for any other line. Use it only if nothing
// else explains the rise, because a staircase of steps may look the same.
func (l *Line) settling() *ramp {
	n := len(l.y)
	if n < 2*leastDrift {
		return nil
	}
	s := l.sliding()
	tail := s.y[n-n/3 : n-1] // the last value is not a median of three
	lowest, highest := slices.Min(tail), slices.Max(tail)
	scatter, from := highest-lowest, stat.Median(slices.Clone(l.y[:settledHead]))
	least := max(l.least, settledTimes*scatter)
	if max(highest-from, from-lowest) < least {
		return nil // the rise to the median of the tail is no larger
	}
	to := stat.Median(slices.Clone(tail))
	rise := math.Abs(to - from)
	if rise < least {
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
		return nil // a staircase of steps
	}
	r.over = min(max(r.over, r.begin+leastDrift), n-1)
	if middle < settledMiddle || s.commits[r.over]-s.commits[r.begin] < leastDrift {
		return nil
	}
	r.first, r.end = r.begin, r.over+1
	r.curve = slices.Clone(s.y[r.begin:r.end]) // a line fitted through many runs would cut off the steep start
	r.from, r.to = r.curve[0], r.curve[len(r.curve)-1]
	return r
}
