package stat

import "math"

// A Calibrated is what a trial of one source against itself says of the noise of one
// series. Spread and Common are standard deviations of logarithms: 0.03
// is a coefficient of variation of 3 %.
type Calibrated struct {
	// Shift is what the trial would have taken for the change, with its 95 %
	// interval, as ratios less 1. The truth is 0.
	Shift Shift
	// Spread is that of single samples about their block of five rounds: what
	// a check has to see through.
	Spread float64
	// Common is what both samples of a round have in common beyond that: the
	// layout of the binary and the drift of the machine. It cancels in a
	// check, and in nothing that is measured unpaired.
	Common float64
	// History is the shift for [NoiseFloor].
	History HistoryShift
}

// CalibrationOf returns what pairs of one source say; fewer than 4 rounds say nothing.
func CalibrationOf(pairs []Pair) (c Calibrated, ok bool) {
	var logs []Pair
	var both, apart []float64
	for _, p := range pairs {
		x, y := math.Log(p.Base), math.Log(p.Head)
		if math.IsInf(x+y, 0) {
			return c, false // a 0 has no relative noise
		}
		logs = append(logs, Pair{x, y, p.HeadFirst})
		if !math.IsNaN(x + y) {
			both, apart = append(both, x+y), append(apart, y-x)
		}
	}
	test := newTest()
	test.Load(logs)
	const tail, z = 0.025, 1.96
	shift := test.Interval(tail)
	if math.IsInf(shift.Hi-shift.Lo, 0) {
		return c, false
	}
	c.Spread = test.Spread()
	// The variance of a sum exceeds that of the difference by four covariances.
	sum, difference := deviation(both), deviation(apart)
	c.Common = math.Sqrt(max(0, sum*sum-difference*difference) / 4)
	c.History = HistoryShift{Shift: shift.Center, SE: (shift.Hi - shift.Lo) / 2 / z}
	c.Shift = Shift{Center: math.Expm1(shift.Center), Lo: math.Expm1(shift.Lo), Hi: math.Expm1(shift.Hi)}
	return c, true
}

// Detectable returns the smallest change, as a fraction, that a check of family
// series finds with a chance of 99 % within so many rounds, where the samples were said to
// scatter by spread after some rounds, and the history has this noise (0 where unknown);
// and the look that finds it. It is infinite if there are not enough rounds for a decision.
//
// It is the inverse of the number of rounds that an open series is said to need.
func Detectable(spread float64, after int, noise, alpha float64, family, rounds int) (change float64, look int) {
	change = math.Inf(1)
	spread *= 1 + planningMargin/math.Sqrt(float64(max(after, 1)))
	floor := FloorFor(0, noise)
	for _, l := range CheckPlan().Looks {
		level := l.Share * alpha / float64(max(family, 1))
		if l.Rounds > rounds || attainableRounds(level) > l.Rounds {
			continue
		}
		se := math.Sqrt(uVariance/float64(l.Rounds)) * spread
		shift := max(floor.Null+(NormalQuantile(level)+NormalQuantile(0.01))*se, floor.Least+NormalQuantile(0.01)*se)
		if d := math.Expm1(shift); d < change {
			change, look = d, l.Rounds
		}
	}
	return change, look
}
