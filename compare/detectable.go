package compare

import (
	"math"
	"slices"
)

// ProcedureCalibrate is the value of [record.KeyProcedure] in the runs of a trial of one
// source against itself. It is measured to know the noise, never to decide.
const ProcedureCalibrate = "calibrate"

// A Calibration is what a trial of one source against itself says of the noise
// of one row. Spread and Common are standard deviations of logarithms: 0.03
// is a coefficient of variation of 3 %.
type Calibration struct {
	*Row
	// Shift is what the trial would have taken for the change, with its 95 %
	// interval, as ratios less 1. The truth is 0.
	Shift Shift
	// Spread is that of single samples about their block of five rounds: what
	// a check has to see through.
	Spread float64
	// Common is what both samples of a round have in common beyond that: the
	// layout of the binary and the drift of the machine. It cancels in a
	// check, and in nothing that is measured apart.
	Common float64
	// History is the shift for [NoiseFloor].
	History HistoryShift
}

// Calibrate returns the calibrations of all rows of a trial of one source
// against itself that a check would test. Constant counts have no noise, and
// fewer than 4 rounds say nothing.
func Calibrate(c *Comparison) []Calibration {
	var out []Calibration
	for _, t := range c.Tables {
		samples := t.byRound()
		for _, r := range t.Rows {
			values := samples[seriesUnit{r.BenchmarkID, r.OrigUnit}]
			if r.Derived || r.Exact || values == nil {
				continue
			}
			if one, ok := calibration(values[base], values[head]); ok {
				one.Row = r
				out = append(out, one)
			}
		}
	}
	return out
}

// calibration of values by round, NaN where a side has none.
func calibration(b, h []float64) (c Calibration, ok bool) {
	var logs, both, apart [2][]float64
	for i := range min(len(b), len(h)) {
		x, y := math.Log(b[i]), math.Log(h[i])
		if math.IsInf(x+y, 0) {
			return c, false // a 0 has no relative noise
		}
		logs[base], logs[head] = append(logs[base], x), append(logs[head], y)
		if x+y == x+y {
			both[0], apart[0] = append(both[0], x+y), append(apart[0], y-x)
		}
	}
	var test Stratified
	test.loaded.load(logs[base], logs[head], blockRounds)
	const tail, z = 0.025, 1.96
	shift := test.interval(tail)
	if math.IsInf(shift.Hi-shift.Lo, 0) {
		return c, false
	}
	c.Spread = test.loaded.spread()
	// The variance of a sum exceeds that of the difference by four covariances.
	sum, difference := deviation(both[0]), deviation(apart[0])
	c.Common = math.Sqrt(max(0, sum*sum-difference*difference) / 4)
	c.History = HistoryShift{Shift: shift.Center, SE: (shift.Hi - shift.Lo) / 2 / z}
	c.Shift = Shift{Center: math.Expm1(shift.Center), Lo: math.Expm1(shift.Lo), Hi: math.Expm1(shift.Hi)}
	return c, true
}

// deviation is the standard deviation by the median absolute deviation.
func deviation(v []float64) float64 {
	middle := median(slices.Clone(v))
	off := make([]float64, len(v))
	for i := range v {
		off[i] = math.Abs(v[i] - middle)
	}
	return normalMAD * median(off)
}

// Detectable returns the smallest change, as a fraction, that a check of family
// rows finds with a chance of 99 % within so many rounds, if the row's history
// has this noise (0 where unknown); and the look that finds it. It is infinite if
// there are not enough rounds for a decision.
//
// It is the inverse of the number of rounds that an inconclusive row is said to
// need.
func (c Calibration) Detectable(noise, alpha float64, family, rounds int) (change float64, look int) {
	change = math.Inf(1)
	n := float64(max(len(c.values[base]), 1))
	spread := c.Spread * (1 + planningMargin/math.Sqrt(n))
	floor := FloorFor(0, noise)
	for _, l := range CheckPlan().Looks {
		level := l.Share * alpha / float64(max(family, 1))
		if l.Rounds > rounds || attainableRounds(level) > l.Rounds {
			continue
		}
		se := math.Sqrt(uVariance/float64(l.Rounds)) * spread
		shift := max(floor.Null+(normalQuantile(level)+normalQuantile(0.01))*se, floor.Least+normalQuantile(0.01)*se)
		if d := math.Expm1(shift); d < change {
			change, look = d, l.Rounds
		}
	}
	return change, look
}

// usualThresholds are the sizes of changes that people have in mind. To find
// only what is larger than the last one is no check.
var usualThresholds = []float64{0.01, 0.02, 0.03, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.5}

// RecommendedThreshold is the smallest usual threshold that a check can hold a
// row to which shows changes from detectable on; 0 if none is large enough.
func RecommendedThreshold(detectable float64) float64 {
	for _, t := range usualThresholds {
		if detectable <= t {
			return t
		}
	}
	return 0
}
