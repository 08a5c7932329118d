package slicing

import (
	"math"
	"slices"
)

// Estimator names what makes one value of the slices of a round: the pairs of slices whose ratios are the
// middle fifth. Both slices of a pair begin on the same CPU within milliseconds, so the speed of the machine
// at that moment is in both and not in their ratio, and the middle ones are those in which nothing met one side
// alone. What happens in fewer than half of the slices is in the mean of all of them: see [Mean].
//
// The same pairs are selected when the sides change places, to the last bit. So where both behave the
// same and a fair coin decides which is first, the sign of a round's value is the coin's, and a test
// of signed ranks is exact with it.
const Estimator = "middle"

const (
	// leastPairs is how many pairs of slices a round needs.
	leastPairs = 8

	// offLimit is how many standard deviations from the usual one a slice is off.
	offLimit = 5

	// normalMAD times the median absolute deviation is the standard deviation, of normal
	// values.
	normalMAD = 1.4826
)

// A selection is what a round keeps of its pairs of slices.
type selection struct {
	kept []int // indices of pairs; nil if too few have a time

	// spread is the standard deviation of the log ratios of all pairs, by their median
	// absolute deviation.
	spread float64
}

// selectionOf selects from pairs of times, base's and head's: the middle fifth by their ratio, with all that
// are equal to its ends. Those without a time are never kept.
func selectionOf(times [][2]float64) selection {
	ratios := ratiosOf(times)
	sorted := slices.DeleteFunc(slices.Clone(ratios), math.IsNaN)
	if len(sorted) < leastPairs {
		return selection{}
	}
	slices.Sort(sorted)
	s := selection{spread: normalMAD * middleOf(deviations(sorted, middleOf(sorted)))}
	off := 2 * len(sorted) / 5
	low, high := sorted[off], sorted[len(sorted)-1-off]
	for i, x := range ratios {
		if low <= x && x <= high {
			s.kept = append(s.kept, i)
		}
	}
	return s
}

// ratiosOf are the log ratios of pairs, NaN where one has no time.
func ratiosOf(times [][2]float64) []float64 {
	ratios := make([]float64, len(times))
	for i, t := range times {
		ratios[i] = math.NaN()
		if t[0] > 0 && t[1] > 0 && !math.IsInf(t[0], 1) && !math.IsInf(t[1], 1) {
			ratios[i] = math.Log(t[1]) - math.Log(t[0])
		}
	}
	return ratios
}

// Times are the times of the two sides that a round of such pairs has, NaN if there are too few.
func Times(times [][2]float64) (sides [2]float64) {
	kept := selectionOf(times).kept
	for side := range sides {
		column := make([]float64, len(times))
		for i, t := range times {
			column[i] = t[side]
		}
		sides[side] = mean("ns/op", column, kept)
	}
	return sides
}

// valueOfRound is the log ratio of the selected times, NaN without any.
func valueOfRound(times [][2]float64) float64 {
	sides := Times(times)
	return math.Log(sides[1]) - math.Log(sides[0])
}

// deviations are how far values are from the middle, sorted.
func deviations(values []float64, middle float64) []float64 {
	off := make([]float64, len(values))
	for i, x := range values {
		off[i] = math.Abs(x - middle)
	}
	slices.Sort(off)
	return off
}

// middleOf is the median of sorted values. It changes only its sign when all values do.
func middleOf(sorted []float64) float64 {
	n := len(sorted)
	return sorted[(n-1)/2]/2 + sorted[n/2]/2
}
