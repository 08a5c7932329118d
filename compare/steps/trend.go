package steps

import (
	"math"
	"slices"

	"github.com/perftrack/perftrack/compare/stat"
)

// A line has a trend from this log-likelihood ratio on. It grows with the logarithm of the
// length of the line, by trendTrials, because there are more ramps to choose from. Of 1,000 lines of
// autoregressive noise with a coefficient of 0.9 at most 5 exceed it, of random walks 10.
const (
	trendOdds   = 5
	trendTrials = 2
)

// trend returns how far the runs lie off the ramp that fits them best, or nil where the line has
// no trend. A drift correlates its runs, as noise does that outlasts a run. The two differ in how
// well a run is predicted from the one before, by a first-order autoregressive process: noise as
// well around a level as around a ramp, a drift only around a ramp.
func (l *Line) trend() []float64 {
	n := len(l.y)
	if n < correlatedRuns {
		return nil
	}
	y := l.cleaned()
	r := rampThrough(y)
	if r == nil || math.Abs(r.to-r.from) < l.least {
		return nil
	}
	level, around, off := make([]float64, n), make([]float64, n), make([]float64, n)
	center := middleOf(slices.Sorted(slices.Values(y)))
	for t := range y {
		level[t], around[t], off[t] = y[t]-center, y[t]-r.at(t), l.y[t]-r.at(t)
	}
	if odds := float64(n) / 2 * math.Log(unforeseen(level)/unforeseen(around)); !(odds > trendOdds+trendTrials*math.Log(float64(n))) {
		return nil
	}
	return off
}

// rampThrough is the least-squares ramp of values without outliers.
func rampThrough(y []float64) *ramp {
	whole := &Line{y: y, drift: scaledPartition{noise: scale{deviation: 1}}}
	d := &drifts{Line: whole, bounds: []int{0, len(y)}, sums: make([][6]float64, len(y)+1)}
	d.sum(0, len(y), func(t int) float64 { return y[t] })
	return d.fit(0, 0)
}

// cleaned are the logarithms, those far off their neighbours replaced by the median of five.
func (l *Line) cleaned() []float64 {
	n := len(l.y)
	out, off := make([]float64, n), make([]float64, n)
	for t := range l.y {
		around := min(2, t, n-1-t)
		var five [5]float64
		near := five[:copy(five[:], l.y[t-around:t+around+1])]
		out[t] = stat.Median(near)
		off[t] = math.Abs(l.y[t] - out[t])
	}
	limit := max(l.least, 3.5*stat.NormalMAD*stat.Median(slices.Clone(off)))
	for t := range out {
		if off[t] <= limit {
			out[t] = l.y[t]
		}
	}
	return out
}

// unforeseen is the mean square by which values miss their prediction from the one before,
// with the coefficient that fits best, or that of a random walk.
func unforeseen(values []float64) float64 {
	cross, before, all := 0.0, 0.0, 0.0
	for t := 1; t < len(values); t++ {
		cross, before, all = cross+values[t-1]*values[t], before+values[t-1]*values[t-1], all+values[t]*values[t]
	}
	best := math.Inf(1)
	for _, rho := range []float64{min(1, max(0, cross/before)), 1} {
		best = min(best, all-2*rho*cross+rho*rho*before)
	}
	return best / float64(len(values)-1)
}
