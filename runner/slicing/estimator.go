package slicing

import (
	"math"
	"slices"
)

// Estimator names the rule for reducing the slices of a round to one value: use the middle fifth of
// the pairs, ordered by ratio. Both slices of a pair begin on the same CPU within milliseconds of
// each other, so the speed of the machine cancels out in their ratio, and in the middle pairs no
// disturbance affected just one side. Events in fewer than half of the slices affect the [Mean]
// instead.
//
// Exchanging the sides selects exactly the same pairs. If both sides behave alike and a fair coin
// decides which one goes first, the coin alone determines the sign of a round's value, so a
// signed-rank test on rounds is exact.
const Estimator = "middle"

const (
	// leastPairs is the minimum number of pairs of slices in a round.
	leastPairs = 8

	// offLimit is the distance from the usual slice, in standard deviations, beyond which a slice
	// is an outlier.
	offLimit = 5

	// normalMAD is the ratio of the standard deviation to the median absolute deviation for
	// normally distributed values.
	normalMAD = 1.4826
)

// A selection lists the selected pairs of a round.
type selection struct {
	kept []int // indices of the selected pairs; nil if too few have a time

	// spread is the standard deviation of the log ratios of all pairs, estimated from their median
	// absolute deviation.
	spread float64
}

// selectionOf selects the middle fifth of the pairs, ordered by the ratio of head's time to base's,
// including ties at both ends. It never selects a pair that lacks a time.
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

// ratiosOf returns the log ratio of each pair, or NaN if a side has no time.
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

// Times returns the time of each side in a round that consists of the given pairs, or NaN if there
// are too few.
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

// valueOfRound returns the log ratio of the selected times, or NaN if there are too few.
func valueOfRound(times [][2]float64) float64 {
	sides := Times(times)
	return math.Log(sides[1]) - math.Log(sides[0])
}

// deviations returns the distances of the values from middle, in ascending order.
func deviations(values []float64, middle float64) []float64 {
	off := make([]float64, len(values))
	for i, x := range values {
		off[i] = math.Abs(x - middle)
	}
	slices.Sort(off)
	return off
}

// middleOf returns the median of sorted values. If all values are negated, the result is exactly
// negated.
func middleOf(sorted []float64) float64 {
	n := len(sorted)
	return sorted[(n-1)/2]/2 + sorted[n/2]/2
}
