package stat

import (
	"math"
)

// DefaultNoise is taken for the noise floor of a benchmark without enough
// history: builds of the same source differ by a quarter of a percent without
// anyone having changed anything.
const DefaultNoise = 0.0025

// An EffectFloor keeps changes that are real but do not matter, or that every
// build has, from being reported. All are logarithms of ratios.
type EffectFloor struct {
	Null  float64 // d0: the shift that has to be excluded, not 0
	Least float64 // the smallest estimate that is reported
	Slack float64 // what an interval may be off to either side beyond its own error
}

// FloorFor returns the floor of a benchmark of which changes from threshold on
// matter (0.05 is 5 %) and whose history has this noise, 0 where unknown (see
// [NoiseFloor]). From half the threshold on a change is reported if it is
// proven: one that is as large as the threshold must not be missed because its
// estimate came out smaller.
func FloorFor(threshold, noise float64) EffectFloor {
	known := noise
	if !(noise > 0) { // NaN, too
		known, noise = 0, DefaultNoise
	}
	return EffectFloor{
		Null:  math.Log1p(max(DefaultNoise, noise)),
		Least: math.Log1p(max(threshold/2, 4*noise)),
		// Noise of the builds is in every sample of a trial alike, so no
		// number of rounds shrinks it: 99 % of builds lie within this.
		Slack: 2.33 * math.Log1p(known),
	}
}

// PairFloor returns the floor by which Pairs decides. It is that of FloorFor, but for a
// benchmark whose noise is unknown. What builds differ by, as far as the null hypothesis takes
// it for no change, is also slack to either side of the interval, so that "unchanged" holds
// for such builds, too. And the threshold may be as small as its owner likes: the least
// estimate that is reported is half of it, and at least twice what the null takes for none.
func PairFloor(threshold, noise float64) EffectFloor {
	if noise > 0 {
		return FloorFor(threshold, noise)
	}
	return EffectFloor{
		Null:  math.Log1p(DefaultNoise),
		Least: math.Log1p(max(threshold/2, 2*DefaultNoise)),
		Slack: math.Log1p(DefaultNoise),
	}
}

// A HistoryShift is how far a commit of the main branch lay above its parent in
// a trial: the logarithm of the ratio, with its standard error.
type HistoryShift struct{ Shift, SE float64 }

// noiseHistory is how many shifts it takes to know the noise floor.
const noiseHistory = 20

// NoiseFloor returns the spread of shifts that their standard errors do not
// explain, the noise that builds have between them, as a fraction. Most
// commits of a main branch change nothing in a given benchmark, so its median
// absolute deviation does not see those that do. Of fewer than 20 shifts it is
// [DefaultNoise], and ok is false.
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
