package stat

import (
	"math"
)

// DefaultNoise is the noise floor assumed for a benchmark without enough history: builds of the
// same source differ by a quarter of a percent even though nothing was changed.
const DefaultNoise = 0.0025

// An EffectFloor suppresses real changes too small to matter, and differences between any two
// builds. All fields are logarithms of ratios.
type EffectFloor struct {
	Null  float64 // d0, the shift a test must exclude, instead of 0
	Least float64 // the smallest estimate to report
	Slack float64 // how far an interval may be off in either direction, in addition to its own error
}

// FloorFor returns the floor for a benchmark. threshold is the smallest change that matters (0.05
// is 5 %), and noise is the noise floor of the benchmark's history, or 0 if it is unknown (see
// [NoiseFloor]). A proven change is reported if its estimate is at least half the threshold,
// because a change as large as the threshold must not be missed when its estimate is too small.
//
// The noise of a build affects all of its samples in a trial alike, so no number of rounds reduces
// it; 99 % of builds lie within the slack. If the noise is unknown, the slack equals the null, and
// the smallest reported estimate is at least twice the slack.
func FloorFor(threshold, noise float64) EffectFloor {
	if !(noise > 0) { // also if it is NaN
		null := math.Log1p(DefaultNoise)
		return EffectFloor{Null: null, Least: math.Log1p(max(threshold/2, 2*DefaultNoise)), Slack: null}
	}
	return EffectFloor{
		Null:  math.Log1p(max(DefaultNoise, noise)),
		Least: math.Log1p(max(threshold/2, 4*noise)),
		Slack: 2.33 * math.Log1p(noise),
	}
}

// A HistoryShift is the change from the parent of a commit on the main branch to that commit, as a
// trial measured it: the logarithm of the ratio and its standard error.
type HistoryShift struct{ Shift, SE float64 }

// noiseHistory is the number of shifts needed to estimate the noise floor.
const noiseHistory = 20

// NoiseFloor returns how much shifts vary beyond their standard errors, as a fraction. This is the
// noise between builds. Most commits on a main branch do not change a given benchmark, and the
// median absolute deviation ignores those that do. With fewer than 20 shifts it returns
// [DefaultNoise] and false.
func NoiseFloor(history []HistoryShift) (noise float64, ok bool) {
	var shifts, errors []float64
	for _, h := range history {
		if sum := h.Shift + h.SE; h.SE >= 0 && sum-sum == 0 {
			shifts, errors = append(shifts, h.Shift), append(errors, h.SE*h.SE)
		}
	}
	if len(shifts) < noiseHistory {
		return DefaultNoise, false
	}
	middle := Median(shifts)
	for i := range shifts {
		shifts[i] = math.Abs(shifts[i] - middle)
	}
	spread := NormalMAD * Median(shifts)
	return math.Expm1(math.Sqrt(max(0, spread*spread-Median(errors)))), true
}
