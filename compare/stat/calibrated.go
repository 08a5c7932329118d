package stat

import (
	"math"
	"slices"
)

// A Calibrated is what a trial of one source against itself says of the noise of one
// series. Spread and Common are standard deviations of logarithms: 0.03
// is a coefficient of variation of 3 %.
type Calibrated struct {
	// Shift is what the trial would have taken for the change, with its 95 %
	// interval, as ratios less 1. The truth is 0.
	Shift Shift
	// Spread is that of the rounds' log ratios: what a check has to see through.
	Spread float64
	// Common is what both samples of a round have in common: the layout of the
	// binary, and whatever the machine did in those moments. It cancels in a
	// check, and in nothing that is measured unpaired.
	Common float64
	// Off are the rounds whose log ratio lies more than five of its standard deviations from
	// the median.
	Off OffRounds
	// History is the shift for [NoiseFloor].
	History HistoryShift
}

// offLimit is how many standard deviations a round lies from the median that is off.
const offLimit = 5

// OffRounds are so many rounds that are far off, of so many in all.
type OffRounds struct{ Off, Of int }

// Part is the part of the rounds that is off, 0 of none.
func (o OffRounds) Part() float64 { return float64(o.Off) / float64(max(o.Of, 1)) }

// Plus are the rounds of both, each held against those of its own calibration.
func (o OffRounds) Plus(p OffRounds) OffRounds { return OffRounds{o.Off + p.Off, o.Of + p.Of} }

// Capped reports whether ranks are to be capped: where more than OffMost of the rounds are
// off, and not by one or two of them, which any benchmark has once.
func (o OffRounds) Capped() bool { return o.Off >= offLeast && o.Part() > OffMost }

// OffMost is the part of rounds that may be off before capped ranks find more than whole
// ones: see [Series].
const OffMost = 0.05

// offLeast is how many rounds have to be off before their part of all means anything.
const offLeast = 3

// CalibrationOf returns what pairs of one source say; fewer than 4 rounds say nothing.
func CalibrationOf(pairs []Pair) (c Calibrated, ok bool) {
	var logs []Pair
	var both, apart []float64
	for _, p := range pairs {
		x, y := math.Log(p.Base), math.Log(p.Head)
		if math.IsInf(x+y, 0) || math.IsInf(x-y, 0) {
			return c, false // a 0 has no relative noise
		}
		if !math.IsNaN(x + y) {
			logs = append(logs, Pair{Base: x, Head: y})
			both, apart = append(both, x+y), append(apart, y-x)
		}
	}
	var test SignedRank
	test.Load(logs)
	const tail, z = 0.025, 1.96
	shift := test.Interval(tail)
	if len(logs) < spreadRounds {
		return c, false
	}
	sum := Scatter(both)
	c.Spread = Scatter(apart)
	// The variance of a sum exceeds that of the difference by four covariances.
	c.Common = math.Sqrt(max(0, sum*sum-c.Spread*c.Spread) / 4)
	c.Off = off(apart, c.Spread)
	c.History = HistoryShift{Shift: shift.Center, SE: c.Spread / math.Sqrt(efficiency(false)*float64(len(logs)))}
	if !math.IsInf(shift.Lo, 0) {
		c.History.SE = (shift.Hi - shift.Lo) / 2 / z
		shift.Lo = math.Expm1(shift.Lo)
	}
	c.Shift = Shift{Center: math.Expm1(shift.Center), Lo: shift.Lo, Hi: math.Expm1(shift.Hi)}
	return c, true
}

// off counts the values that lie far from their median. Where most of them are the same, a
// byte more would be far: there it takes what builds may differ by.
func off(values []float64, spread float64) OffRounds {
	if spread == 0 {
		spread = DefaultNoise
	}
	middle, n := Median(slices.Clone(values)), 0
	for _, v := range values {
		if math.Abs(v-middle) > offLimit*spread {
			n++
		}
	}
	return OffRounds{n, len(values)}
}

// Detectable returns the smallest change, as a fraction, that a check of family
// series finds with a chance of 99 % within so many rounds, where the log ratios were said to
// scatter by spread after some rounds, the history has this noise (0 where unknown), and its
// ranks are capped or not; and the look that finds it. It is infinite if there are not enough
// rounds for a decision.
//
// It is the inverse of the number of rounds that an open series is said to need.
func Detectable(spread float64, after int, noise float64, capped bool, alpha float64, family, rounds int) (change float64, look int) {
	opt := Options{Procedure: Pairs, Alpha: alpha}.withDefaults()
	change = math.Inf(1)
	spread *= 1 + pairsMargin/math.Sqrt(float64(max(after, 1)))
	floor, carried, beta, sharing := PairFloor(0, noise), 0.0, NormalQuantile(0.01), opt.sharing(family)
	for _, l := range opt.Plan.Looks {
		carried += l.Share
		if l.Rounds > rounds || !opt.canFlag(leastP(l.Rounds), sharing, carried) {
			continue
		}
		level := carried * opt.Alpha / sharing
		carried = 0
		// The test knows the spread from the same rounds: that costs it z²/2 of them, as it does
		// the t-test.
		z := NormalQuantile(level)
		effective := float64(l.Rounds) - z*z/2
		if effective < 1 {
			continue
		}
		se := spread / math.Sqrt(efficiency(capped)*effective)
		shift := max(floor.Null+(z+beta)*se, floor.Least+beta*se)
		if d := math.Expm1(shift); d < change {
			change, look = d, l.Rounds
		}
	}
	return change, look
}

// usualThresholds are the sizes of changes that people have in mind. To find
// only what is larger than the last one is no check.
var usualThresholds = []float64{0.01, 0.02, 0.03, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.5}

// RecommendedThreshold returns the smallest usual threshold that is not below the smallest
// change a check can detect, 0 if there is none.
func RecommendedThreshold(detectable float64) float64 {
	for _, t := range usualThresholds {
		if detectable <= t {
			return t
		}
	}
	return 0
}
