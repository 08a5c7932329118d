package steps

import (
	"math"
	"slices"

	"github.com/perftrack/perftrack/compare/stat"
)

// A line has a trend if its log-likelihood ratio exceeds trendOdds plus trendTrials times the
// logarithm of the length of the line. The limit grows with the length because there are more ramps
// to choose from. Of 1,000 lines of autoregressive noise with a coefficient of 0.9, at most 5
// exceed the limit; of 1,000 random walks, 10 do.
const (
	trendOdds   = 5
	trendTrials = 2
)

// trend returns the distance of each run from the ramp that fits the runs best, or nil if the line
// has no trend. Runs can be correlated because of a drift, but also because of noise that outlasts
// a run. The two differ in how well a first-order autoregressive process predicts a run from the
// previous one: noise is predicted equally well around a level and around a ramp, but a drift only
// around a ramp.
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
	center := middleOf(slices.Clone(y))
	for t := range y {
		level[t], around[t], off[t] = y[t]-center, y[t]-r.at(t), l.y[t]-r.at(t)
	}
	if odds := float64(n) / 2 * math.Log(unforeseen(level)/unforeseen(around)); !(odds > trendOdds+trendTrials*math.Log(float64(n))) {
		return nil
	}
	return off
}

// rampThrough returns the least-squares ramp for values without outliers.
func rampThrough(y []float64) *ramp {
	whole := &Line{y: y, drift: scaledPartition{noise: scale{deviation: 1}}}
	d := &drifts{Line: whole, bounds: []int{0, len(y)}, sums: make([][6]float64, len(y)+1)}
	d.sum(0, len(y), y)
	return d.fit(0, 0)
}

// cleaned returns the logarithms, with each one far from its neighbours replaced by the median of
// five neighbouring values.
func (l *Line) cleaned() []float64 {
	n := len(l.y)
	out, off := make([]float64, n), make([]float64, n)
	for t := range l.y {
		out[t] = l.y[t]
		switch around := min(t, n-1-t); {
		case around > 1:
			out[t] = medianOfFive(l.y[t-2 : t+3])
		case around == 1:
			out[t] = medianOfThree(l.y[t-1], l.y[t], l.y[t+1])
		}
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

func medianOfThree(a, b, c float64) float64 { return max(min(a, b), min(max(a, b), c)) }

func medianOfFive(v []float64) float64 {
	a, b, c, d := v[0], v[1], v[2], v[3]
	// Without the smallest and the largest of four values, the median stays the same.
	return medianOfThree(max(min(a, b), min(c, d)), min(max(a, b), max(c, d)), v[4])
}

// unforeseen returns the mean square error of predicting each value from the previous one, with the
// best coefficient or as a random walk, whichever predicts better.
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
