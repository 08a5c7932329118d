package stat

import (
	"math"
	"slices"
)

// Calibrated is the noise of one series, estimated from a trial of a source against itself. Spread
// and Common are standard deviations of logarithms, so 0.03 is a coefficient of variation of 3 %.
type Calibrated struct {
	// Shift is the apparent change with its 95 % interval, as ratios minus 1. The true change is 0.
	Shift Shift
	// Spread is the standard deviation of the rounds' log ratios: the noise of a check.
	Spread float64
	// Common is the noise shared by both samples of a round, due to the layout of the binary and
	// the state of the machine at that moment. It cancels out in a check but not between unpaired
	// runs.
	Common float64
	// Off counts the rounds whose log ratio lies more than five standard deviations from the
	// median.
	Off OffRounds
	// History is the shift in the form that [NoiseFloor] expects.
	History HistoryShift
}

// offLimit is the number of standard deviations from the median beyond which a round is off.
const offLimit = 5

// OffRounds holds the number of rounds that are off and the total number of rounds.
type OffRounds struct{ Off, Of int }

// Part returns the fraction of rounds that are off, or 0 without any rounds.
func (o OffRounds) Part() float64 { return float64(o.Off) / float64(max(o.Of, 1)) }

// Plus returns the combined counts of two calibrations. Each calibration judged only its own
// rounds.
func (o OffRounds) Plus(p OffRounds) OffRounds { return OffRounds{o.Off + p.Off, o.Of + p.Of} }

// Capped reports whether ranks should be capped. They should if more than the fraction OffMost of
// the rounds are off, unless these are just the one or two rounds that may be off in any benchmark.
func (o OffRounds) Capped() bool { return o.Off >= offLeast && o.Part() > OffMost }

// OffMost is the largest fraction of rounds off before capped ranks find more changes than uncapped
// ones: see [Series].
const OffMost = 0.05

// offLeast is the least number of rounds off for a meaningful fraction.
const offLeast = 3

// CalibrationOf estimates the noise from pairs of a source with itself. ok is false if there are
// fewer than 4 rounds or if any value is 0.
func CalibrationOf(pairs []Pair) (c Calibrated, ok bool) {
	var logs []Pair
	var both, diffs []float64
	for _, p := range pairs {
		x, y := math.Log(p.Base), math.Log(p.Head)
		if math.IsInf(x+y, 0) || math.IsInf(x-y, 0) {
			return c, false // relative noise is undefined if a value is 0
		}
		if !math.IsNaN(x + y) {
			logs = append(logs, Pair{Base: x, Head: y})
			both, diffs = append(both, x+y), append(diffs, y-x)
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
	c.Spread = Scatter(diffs)
	// The variance of the sum exceeds that of the difference by four times the covariance.
	c.Common = math.Sqrt(max(0, sum*sum-c.Spread*c.Spread) / 4)
	c.Off = off(diffs, c.Spread)
	c.History = HistoryShift{Shift: shift.Center, SE: c.Spread / math.Sqrt(efficiency(false)*float64(len(logs)))}
	if !math.IsInf(shift.Lo, 0) {
		c.History.SE = (shift.Hi - shift.Lo) / 2 / z
		shift.Lo = math.Expm1(shift.Lo)
	}
	c.Shift = Shift{Center: math.Expm1(shift.Center), Lo: shift.Lo, Hi: math.Expm1(shift.Hi)}
	return c, true
}

// off counts the values that are far from their median. If most values are equal, spread is 0, and
// a difference of a single byte would already count as far. In that case, off uses the usual
// difference between builds as the spread.
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

// Detectable returns the smallest change, as a fraction, that a check finds with a probability of
// 99 %, and the round of the look that finds it. family is the number of series in the check, and
// rounds is the largest number of its rounds. spread is the scatter of the log ratios, and after is
// the number of rounds in that estimate. noise is the noise floor of the history, or 0 if unknown,
// and capped says whether ranks are capped. The change is infinite if there are too few rounds for
// any decision.
//
// Detectable is the inverse of the forecast of the number of rounds that an open series needs.
func Detectable(spread float64, after int, noise float64, capped bool, alpha float64, family, rounds int) (change float64, look int) {
	opt := Options{Alpha: alpha}.withDefaults()
	change = math.Inf(1)
	spread *= 1 + pairsMargin/math.Sqrt(float64(max(after, 1)))
	floor, carried, beta, sharing := FloorFor(0, noise), 0.0, NormalQuantile(0.01), opt.sharing(family)
	for _, l := range opt.Plan.Looks {
		carried += l.Share
		if l.Rounds > rounds || !opt.canFlag(leastP(l.Rounds), sharing, carried) {
			continue
		}
		level := carried * opt.Alpha / sharing
		carried = 0
		// The test estimates the spread from the same rounds, which costs it z²/2 of them, as in
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

// usualThresholds are the thresholds people choose. A check that finds only larger changes is
// useless.
var usualThresholds = []float64{0.01, 0.02, 0.03, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.5}

// RecommendedThreshold returns the smallest usual threshold of at least detectable, or 0 beyond the
// last one. detectable is the smallest change a check can find.
func RecommendedThreshold(detectable float64) float64 {
	for _, t := range usualThresholds {
		if detectable <= t {
			return t
		}
	}
	return 0
}
