package stat

import (
	"math"
	"slices"
)

// A weighing describes how the rounds of a series are weighted in its test.
type weighing struct {
	capped bool    // ranks are capped: see [SignedRank]
	clip   float64 // if not 0, differences are summed: see clippedSum
}

const (
	// weighingRounds is the number of rounds needed to see how sizes scatter.
	weighingRounds = 10
	// Differences are summed if the largest size is below clipMeans times the mean size, and if the
	// median absolute deviation of the sizes exceeds deviationMedians times their median. For
	// normal differences, the deviation is 0.59 times the median, and it is less if all rounds
	// changed.
	clipMeans, deviationMedians = 3, 0.7
)

// weighing chooses the weights based on the sizes of the rounds' log ratios, regardless of their
// direction. If more than the fraction OffMost of the sizes are extreme, individual processes must
// be slow for unrelated reasons, so ranks are capped. If the sizes vary widely without extremes, as
// under a quota delaying some processes, the sum finds the most changes. Otherwise, ranks are not
// capped.
//
// The sizes do not change when the sides of a round are swapped, so the coins do not influence the
// choice, and at each look the test is as exact as if it had been chosen in advance. The choice
// uses sizes rather than signed ratios, because a large change affects all rounds and moves their
// median.
func (st *state) weighing(round int) weighing {
	var sizes []float64
	for _, p := range until(st.logs, round) {
		if p.counts() {
			sizes = append(sizes, math.Abs(difference0(p.Base, p.Head)))
		}
	}
	return weigh(sizes)
}

func weigh(sizes []float64) weighing {
	n := len(sizes)
	if n < weighingRounds {
		return weighing{}
	}
	middle, mean := Median(slices.Clone(sizes)), 0.0
	deviations := make([]float64, n)
	for i, s := range sizes {
		mean += s / float64(n)
		deviations[i] = math.Abs(s - middle)
	}
	scatter := Median(deviations)
	if clip := clipMeans * mean; slices.Max(sizes) < clip && scatter > deviationMedians*middle {
		return weighing{clip: clip}
	}
	// A difference that may occur between builds never counts as extreme.
	far := off(sizes, max(NormalMAD*scatter, DefaultNoise/offLimit))
	return weighing{capped: far.Part() > OffMost}
}
