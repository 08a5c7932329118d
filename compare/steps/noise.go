package steps

import (
	"math"
	"slices"
)

// A scale is how far the runs of a line scatter, and what a new level then costs.
type scale struct{ deviation, penalty float64 }

// scales estimates the noise from the differences of neighbours, few of which are steps
// or outliers. Where neighbours are correlated, because the state of the machine lasts
// longer than a run, their differences underestimate it. The correlation is estimated
// from how much larger the differences of runs two apart are (after Chakar, Lebarbier,
// Lévy-Leduc and Robin, "A robust approach for estimating change-points in the mean of
// an AR(1) process", Bernoulli 23 (2017)), and raises the penalty of a level. Where the line
// has a trend, the differences are those around it.
//
// Both figures are rounded to rungs of a ladder, so that another run seldom changes them.
//
// The scale for steps ignores correlated noise of up to half a step; the one for drifts counts
// it, however small.
func (l *Line) scales() (steps, drifts scale) {
	steps, drifts = l.scaleOf(l.near, l.far, l.least/2), l.scaleOf(l.near, l.far, 0)
	if around := l.trend(); around != nil {
		near, far := differences(around, 1), differences(around, 2)
		steps, drifts = steps.orLess(l.scaleOf(near, far, l.least/2)), drifts.orLess(l.scaleOf(near, far, 0))
	}
	return steps, drifts
}

// orLess is the scale at which a level costs less.
func (s scale) orLess(other scale) scale {
	if other.deviation*other.deviation*other.penalty < s.deviation*s.deviation*s.penalty {
		return other
	}
	return s
}

// differences are those of values so many places apart, sorted.
func differences(values []float64, places int) (out []float64) {
	for t := places; t < len(values); t++ {
		out = append(out, math.Abs(values[t]-values[t-places]))
	}
	slices.Sort(out)
	return out
}

// scaleOf is the scale of sorted differences, if noise of up to the given size is not correlated.
func (l *Line) scaleOf(nearby, far []float64, short float64) scale {
	n := len(l.y)
	length := 64.0
	for length < float64(n) {
		length *= 2
	}
	floor := l.least / 6
	s := scale{floor, 3 * math.Log(length)}
	if n < 2 {
		return s
	}
	near := middleOf(nearby)
	noise := near / (0.6745 * math.Sqrt2)
	if n >= correlatedRuns && near > 0 {
		// Less one and a half standard errors: a penalty for correlation that is not
		// there would hide steps.
		rho := meanSquare(far)/meanSquare(nearby) - 1 - 1.5/math.Sqrt(float64(n))
		rho = min(0.75, max(0, math.Floor(4*rho)/4))
		if lasting := noise / math.Sqrt(1-rho); lasting > short {
			noise = lasting
			s.penalty *= (1 + rho) / (1 - rho)
		}
	}
	if noise > floor {
		s.deviation = floor * math.Exp2(math.Ceil(4*math.Log2(noise/floor))/4)
	}
	return s
}

// correlatedRuns is the number of runs from which on their correlation is estimated.
const correlatedRuns = 20

// middleOf is the median of sorted values.
func middleOf(sorted []float64) float64 {
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

// meanSquare is that of sorted values without the largest eighth, in which steps and
// outliers are.
func meanSquare(sorted []float64) float64 {
	total := 0.0
	sorted = sorted[:len(sorted)-len(sorted)/8]
	for _, v := range sorted {
		total += v * v
	}
	return total / float64(len(sorted))
}

// partition extends the partitions by the runs appended since the last call. A further
// run costs time linear in the length of the line, unless its scale changed: then the
// partition begins anew.
func (l *Line) partition() {
	now := scaledPartition{l.noise, l.part}
	steps, drifts := l.scales()
	l.extend(&now, steps)
	l.noise, l.part = now.noise, now.part
	if drifts != l.noise {
		l.extend(&l.drift, drifts)
	} else {
		l.drift = now
	}
}

// A scaledPartition is a partition of the values in units of their noise.
type scaledPartition struct {
	noise scale
	part  *partition
}

// extend brings a partition up to the last run, at the given scale.
func (l *Line) extend(d *scaledPartition, s scale) {
	if s != d.noise || d.part == nil {
		*d = scaledPartition{s, &partition{penalty: s.penalty}}
	}
	for i := len(d.part.z); i < len(l.y); i++ {
		d.part.append((l.y[i]-l.y[0])/d.noise.deviation, l.begins(i))
	}
}
