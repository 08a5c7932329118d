package steps

import (
	"math"
	"slices"

	"github.com/perftrack/perftrack/compare/stat"
)

// A scale is the scatter of a line's runs and the resulting cost of a new level.
type scale struct{ deviation, penalty float64 }

// scales estimates the noise from the differences between neighbours; few of these are steps or
// outliers. If neighbours are correlated, because the state of the machine lasts longer than a run,
// their differences underestimate the noise. The differences between runs two places apart are then
// larger, which gives an estimate of the correlation (after Chakar, Lebarbier, Lévy-Leduc and
// Robin, "A robust approach for estimating change-points in the mean of an AR(1) process",
// Bernoulli 23 (2017)). The correlation raises the penalty of a level. If the line has a trend, the
// noise around the trend is estimated as well, and the estimate that makes a level cheaper is used.
//
// Both results are rounded to discrete values, so that an additional run seldom changes them.
//
// The scale for steps ignores correlated noise of up to half a step; the scale for drifts accounts
// for all correlated noise, however small.
func (l *Line) scales() (steps, drifts scale) {
	steps, drifts = l.scalesOf(scatterOf(l.y))
	if around := l.trend(); around != nil {
		s, d := l.scalesOf(scatterOf(around))
		return steps.orLess(s), drifts.orLess(d)
	}
	return steps, drifts
}

func (l *Line) scalesOf(s scatter) (steps, drifts scale) {
	return l.scaleOf(s, l.least/2), l.scaleOf(s, 0)
}

// orLess returns s or other, whichever makes a level cheaper.
func (s scale) orLess(other scale) scale {
	if other.deviation*other.deviation*other.penalty < s.deviation*s.deviation*s.penalty {
		return other
	}
	return s
}

// A scatter describes the noise of a series by the absolute differences between its values.
type scatter struct {
	near float64 // median difference between neighbours
	rho  float64 // correlation of neighbours in steps of 1/4, less than its likely error
}

// scatterOf returns the scatter of values.
func scatterOf(values []float64) scatter {
	n := len(values)
	if n < 2 {
		return scatter{}
	}
	near := differences(values, 1)
	if n < correlatedRuns {
		return scatter{near: middleOf(near)}
	}
	low, lowFar := lowest(near), lowest(differences(values, 2))
	// Subtract one and a half standard errors, because a penalty for nonexistent correlation would
	// hide steps.
	quarters := func() float64 { return 4 * (meanSquare(lowFar)/meanSquare(low) - 1 - 1.5/math.Sqrt(float64(n))) }
	q := quarters()
	if math.Abs(q-math.Round(q)) < 1e-6 { // the result may depend on the order in which the sums round
		slices.Sort(low)
		slices.Sort(lowFar)
		q = quarters()
	}
	return scatter{middleOf(near), min(0.75, max(0, math.Floor(q)/4))}
}

// differences returns the absolute differences between values that are places positions apart.
func differences(values []float64, places int) []float64 {
	out := make([]float64, len(values)-places)
	for i := range out {
		out[i] = math.Abs(values[i+places] - values[i])
	}
	return out
}

// scaleOf returns the scale for a scatter. Correlated noise up to short is treated as uncorrelated.
func (l *Line) scaleOf(of scatter, short float64) scale {
	n := len(l.y)
	length := 64.0
	for length < float64(n) {
		length *= 2
	}
	floor := l.least / 6
	s := scale{floor, 3 * math.Log(length)}
	noise := of.near / (0.6745 * math.Sqrt2)
	if lasting := noise / math.Sqrt(1-of.rho); n >= correlatedRuns && lasting > short {
		noise = lasting
		s.penalty *= (1 + of.rho) / (1 - of.rho)
	}
	if noise > floor {
		s.deviation = floor * math.Exp2(math.Ceil(4*math.Log2(noise/floor))/4)
	}
	return s
}

// correlatedRuns is the smallest number of runs whose correlation can be estimated.
const correlatedRuns = 20

// middleOf returns the median. It changes the order of the values.
func middleOf(values []float64) float64 {
	lo, hi := stat.Middle(values)
	return (lo + hi) / 2
}

// lowest moves the largest eighth of values, with the steps and outliers, to the end, and returns
// the rest.
func lowest(values []float64) []float64 {
	most := len(values) - len(values)/8
	if most < len(values) {
		stat.Select(values, most)
	}
	return values[:most]
}

func meanSquare(values []float64) float64 {
	total := 0.0
	for _, v := range values {
		total += v * v
	}
	return total / float64(len(values))
}

// A scaledPartition is a partition of the values in units of their noise.
type scaledPartition struct {
	noise scale
	*partition
}

// partition divides the line into levels at both scales.
func (l *Line) partition() {
	steps, drifts := l.scales()
	cut := make([]bool, len(l.y))
	for i := range cut {
		cut[i] = l.begins(i)
	}
	l.steps = l.partitionAt(steps, cut)
	if l.drift = l.steps; drifts != steps {
		l.drift = l.partitionAt(drifts, cut)
	}
}

func (l *Line) partitionAt(s scale, cut []bool) scaledPartition {
	z := make([]float64, len(l.y))
	for i := range z {
		z[i] = (l.y[i] - l.y[0]) / s.deviation
	}
	return scaledPartition{s, newPartition(z, cut, s.penalty)}
}
