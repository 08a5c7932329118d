package steps

import "math"

// A scale is what the noise of a line makes of the partition.
type scale struct{ deviation, penalty float64 }

// scale estimates the noise from the differences of neighbours, of which steps
// and outliers are few. Where runs that follow each other are alike, because
// the machine's state outlasts a run, differences show too little of it: the
// correlation is estimated from how much larger the differences of runs two
// apart are (after Chakar, Lebarbier, Lévy-Leduc and Robin, "A robust approach for
// estimating change-points in the mean of an AR(1) process", Bernoulli 23
// (2017)), and a level must then be worth more. Noise of less than half a step
// makes no steps, however it lasts.
//
// Both figures go up a ladder, so that another run seldom changes them.
func (l *Line) scale() scale { return l.scaleOf(l.least / 2) }

// lasting is the scale for what drifts: all noise that lasts counts as such.
func (l *Line) lasting() scale { return l.scaleOf(0) }

// scaleOf is the scale where noise of up to some size does not last.
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
		// Less one and a half standard errors: penalties for what is not there
		// would hide steps.
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

// correlatedRuns is how many runs it takes to see that they are correlated.
const correlatedRuns = 20

func middleOf(sorted []float64) float64 {
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

// meanSquare leaves out the largest eighth, which is where steps and outliers are.
func meanSquare(sorted []float64) float64 {
	total := 0.0
	sorted = sorted[:len(sorted)-len(sorted)/8]
	for _, v := range sorted {
		total += v * v
	}
	return total / float64(len(sorted))
}

// partition brings the partition up to the last run. It goes on where it was, so
// that a further run costs time linear in the length of the line, unless the
// noise has changed by a fifth or the length doubled: then it begins anew.
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

// A scaledPartition is a partition in units of some noise.
type scaledPartition struct {
	noise scale
	part  *partition
}

func (l *Line) extend(d *scaledPartition, s scale) {
	if s != d.noise || d.part == nil {
		*d = scaledPartition{s, &partition{penalty: s.penalty}}
	}
	for i := len(d.part.z); i < len(l.y); i++ {
		d.part.append((l.y[i]-l.y[0])/d.noise.deviation, l.begins(i))
	}
}
