package stat

import (
	"math"
)

// NormalMAD is the ratio of the standard deviation of normal values to their median absolute
// deviation.
const NormalMAD = 1.4826

// Median returns the median of v, or 0 if v is empty. It changes the order of v.
func Median(v []float64) float64 {
	if len(v) == 0 {
		return 0
	}
	lo, hi := Middle(v)
	return lo + (hi-lo)/2
}

// Middle returns the two values in the middle of v, or the middle one twice if their number is odd.
// It reorders v, and v must not be empty.
func Middle(v []float64) (lo, hi float64) {
	n := len(v)
	hi = Select(v, n/2)
	if n%2 == 1 {
		return hi, hi
	}
	lo = v[0]
	for _, x := range v[:n/2] {
		if x > lo || math.IsNaN(lo) {
			lo = x
		}
	}
	return lo, hi
}

// NormalQuantile returns the value z that a standard normal variable exceeds with probability p.
func NormalQuantile(p float64) float64 {
	return math.Sqrt2 * math.Erfcinv(2*min(max(p, 1e-300), 1-1e-16))
}

// Scatter returns the standard deviation of values, estimated from the median of their pairwise
// differences (Shamos, "Geometry and statistics: problems at the interface", 1976). A few extreme
// values hardly affect it, and for normal values it is nearly as efficient as the plain estimate:
// its relative error is 0.76/√n, compared with 1.2/√n for the median deviation.
func Scatter(values []float64) float64 {
	const normal = 1.0483
	gaps := make([]float64, 0, len(values)*len(values)/2)
	for i, a := range values {
		for _, b := range values[:i] {
			gaps = append(gaps, math.Abs(a-b))
		}
	}
	return normal * Median(gaps)
}
