package steps

import "math"

// A scale is how far the runs of a line scatter, and what a new level then costs.
type scale struct{ deviation, penalty float64 }

// scale estimates the noise from the differences of neighbours, few of which are steps
// or outliers. Where neighbours are correlated, because the state of the machine lasts
// longer than a run, their differences underestimate it. The correlation is estimated
// from how much larger the differences of runs two apart are (after Chakar, Lebarbier,
// Lévy-Leduc and Robin, "A robust approach for estimating change-points in the mean of
// an AR(1) process", Bernoulli 23 (2017)), and raises the penalty of a level. Correlated
// noise of less than half a step is ignored: it makes no steps.
//
// Both figures are rounded to rungs of a ladder, so that another run seldom changes them.
func (l *Line) scale() scale { return l.scaleOf(l.least / 2) }

// lasting is the scale for drifts: correlated noise counts, however small.
func (l *Line) lasting() scale { return l.scaleOf(0) }

// scaleOf is the scale if noise of up to the given size is not correlated.
func (l *Line) scaleOf(short float64) scale {
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
	near := middleOf(l.near)
	noise := near / (0.6745 * math.Sqrt2)
	if n >= correlatedRuns && near > 0 {
		// Less one and a half standard errors: a penalty for correlation that is not
		// there would hide steps.
		rho := meanSquare(l.far)/meanSquare(l.near) - 1 - 1.5/math.Sqrt(float64(n))
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
	l.extend(&now, l.scale())
	l.noise, l.part = now.noise, now.part
	if s := l.lasting(); s != l.noise {
		l.extend(&l.drift, s)
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
