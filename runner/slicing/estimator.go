package slicing

import (
	"cmp"
	"math"
	"slices"
)

// An Estimator makes one value of the slices of a round: it selects slices of each side, and the two
// sides are compared by the means over these. Each selection is the same when the sides change
// places, to the last bit. So where both behave the same and a fair coin decides which is first,
// the sign of a round's value is the coin's, and a test of signed ranks is exact with it.
type Estimator string

// Quicker is of the quicker half of each side's slices, without the quickest twentieth. Whatever
// disturbs a slice makes it longer, so the quicker half is left alone on a quiet machine and on a
// busy one; the quickest few may be of a mode of their own, as of a lock that nobody contended. What
// happens in fewer than half of the slices is in the mean of all of them: see [Mean].
const Quicker Estimator = "quicker"

const (
	// leastPairs is how many pairs of slices a round needs.
	leastPairs = 8

	// offLimit is how many standard deviations from the usual one a slice is off.
	offLimit = 5

	// normalMAD times the median absolute deviation is the standard deviation, of normal
	// values.
	normalMAD = 1.4826
)

// A selection is what an estimator makes of the pairs of slices of a round.
type selection struct {
	kept [2][]int // which slices of each side; nil if there are too few pairs

	// spread is the standard deviation of the log ratios of all pairs, by their median
	// absolute deviation.
	spread float64
}

// of selects from pairs of times, base's and head's. Those without a time are never kept.
func (e Estimator) of(times [][2]float64) selection {
	index, spread := ratiosOf(times)
	if len(index) < leastPairs {
		return selection{}
	}
	s := selection{spread: spread}
	for side := range s.kept {
		s.kept[side] = quicker(times, index, side)
	}
	return s
}

// quicker are the slices of a side from the first twentieth to the eleventh, by their time, in the order
// of time.
func quicker(times [][2]float64, index []int, side int) []int {
	order := slices.SortedStableFunc(slices.Values(index), func(i, j int) int { return cmp.Compare(times[i][side], times[j][side]) })
	from := len(order) / 20
	return slices.Sorted(slices.Values(order[from : from+(len(order)+1)/2]))
}

// Times are the times of the two sides that a round of such pairs has, NaN if there are too few.
func (e Estimator) Times(times [][2]float64) (sides [2]float64) {
	s := e.of(times)
	for side := range sides {
		column := make([]float64, len(times))
		for i, t := range times {
			column[i] = t[side]
		}
		sides[side] = mean("ns/op", column, s.kept[side])
	}
	return sides
}

// value is the log ratio of the selected times, NaN without any.
func (e Estimator) value(times [][2]float64) float64 {
	sides := e.Times(times)
	return math.Log(sides[1]) - math.Log(sides[0])
}

// ratiosOf returns which pairs have a log ratio, and the standard deviation of these.
func ratiosOf(times [][2]float64) (index []int, spread float64) {
	var ratios []float64
	for i, t := range times {
		if t[0] > 0 && t[1] > 0 && !math.IsInf(t[0], 1) && !math.IsInf(t[1], 1) {
			ratios, index = append(ratios, math.Log(t[1])-math.Log(t[0])), append(index, i)
		}
	}
	if len(ratios) == 0 {
		return nil, 0
	}
	middle := middleOf(slices.Sorted(slices.Values(ratios)))
	return index, normalMAD * middleOf(deviations(ratios, middle))
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
