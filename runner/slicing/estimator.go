package slicing

import (
	"math"
	"slices"
)

// An Estimator makes one value of the slices of a round: it selects pairs of slices, both
// slices of a pair or none, and the two sides are compared by the sums over these. Each
// selection is the same when the sides change places, to the last bit. So where both behave the
// same and a fair coin decides which is first, the sign of a round's value is the
// coin's, and a test of signed ranks is exact with any of them.
type Estimator string

const (
	// Sum drops the pairs whose ratio is off: what disturbed one slice and not the other. It
	// sees what costs time in some slices only.
	Sum Estimator = "sum"

	// Trimmed is of the three fifths of the pairs in the middle, by their ratio.
	Trimmed Estimator = "trimmed"

	// Median is of the fifth in the middle: what happens in the typical slice. It is the
	// sharpest where a machine has long bursts of other work, and does not see what happens
	// in a few of the slices.
	Median Estimator = "median"

	// All drops nothing: for a benchmark that itself takes longer now and then.
	All Estimator = "all"
)

const (
	// leastPairs is how many pairs of slices a round needs.
	leastPairs = 8

	// offLimit is how many standard deviations a pair may lie from the median of its round
	// before it is off, and offLeast how far it may lie in any case: times are printed with
	// four digits, and of equal ones the deviation is 0.
	offLimit, offLeast = 5, 0.01

	// offSided is the chance below which pairs that are off lean too much to one side to
	// come from the machine.
	offSided = 0.05

	// normalMAD times the median absolute deviation is the standard deviation, of normal
	// values.
	normalMAD = 1.4826
)

// A selection is what an estimator makes of the pairs of slices of a round.
type selection struct {
	kept []int // indices of pairs, ascending; nil if there are too few

	// spread is the standard deviation of the log ratios of all pairs, by their median
	// absolute deviation.
	spread float64

	// lower and higher are how many pairs have ratios that are off, downwards and upwards.
	// Where both sides behave the same, either is as likely as the other.
	lower, higher int
}

// of selects from pairs of times, base's and head's. Those without a time are never kept.
func (e Estimator) of(times [][2]float64) selection {
	var s selection
	var ratios []float64 // of the pairs that have one
	var index []int
	for i, t := range times {
		if t[0] > 0 && t[1] > 0 && !math.IsInf(t[0], 1) && !math.IsInf(t[1], 1) {
			ratios, index = append(ratios, math.Log(t[1])-math.Log(t[0])), append(index, i)
		}
	}
	if len(ratios) < leastPairs {
		return s
	}
	sorted := slices.Sorted(slices.Values(ratios))
	middle := middleOf(sorted)
	s.spread = normalMAD * middleOf(deviations(ratios, middle))
	limit := s.limit()
	for _, x := range ratios {
		switch {
		case x-middle > limit:
			s.higher++
		case middle-x > limit:
			s.lower++
		}
	}
	low, high := sorted[0], sorted[len(sorted)-1]
	// Pairs that are off nearly all to one side stay: these are what that side does now and then,
	// and not the machine's doing.
	if signTest(s.lower, s.higher) >= offSided {
		switch cut := e.cut(len(sorted)); e {
		case Sum:
			low, high = middle-limit, middle+limit
		case Trimmed, Median:
			low, high = sorted[cut], sorted[len(sorted)-1-cut]
		}
	}
	for i, x := range ratios {
		if low <= x && x <= high {
			s.kept = append(s.kept, index[i])
		}
	}
	return s
}

// cut is how many pairs are dropped at either end.
func (e Estimator) cut(n int) int {
	switch e {
	case Trimmed:
		return n / 5
	case Median:
		return n * 2 / 5
	}
	return 0
}

// limit is how far from the median a pair is off.
func (s selection) limit() float64 { return max(offLimit*s.spread, offLeast) }

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

// signTest returns the chance that a fair coin falls as unevenly as a to b, or more.
func signTest(a, b int) float64 {
	n, least := a+b, min(a, b)
	term, sum := math.Ldexp(1, -n), 0.0
	for k := 0; k <= least; k++ {
		sum += term
		term *= float64(n-k) / float64(k+1)
	}
	return min(1, 2*sum)
}
