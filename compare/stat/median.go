package stat

import (
	"math"
	"slices"
)

// NormalMAD times the median absolute deviation is the standard deviation, of
// normal values.
const NormalMAD = 1.4826

// Median sorts v. It is 0 without values.
func Median(v []float64) float64 {
	if len(v) == 0 {
		return 0
	}
	slices.Sort(v)
	return v[(len(v)-1)/2] + (v[len(v)/2]-v[(len(v)-1)/2])/2
}

// NormalQuantile returns the z that a standard normal value exceeds with the
// chance p.
func NormalQuantile(p float64) float64 {
	return math.Sqrt2 * math.Erfcinv(2*min(max(p, 1e-300), 1-1e-16))
}

// Scatter is the standard deviation of values by the median of what any two of them differ by:
// Shamos, "Geometry and statistics: problems at the interface" (1976). A few values that are
// far off hardly move it, and of normal ones it is nearly as certain as the plain one: its
// relative error is 0.76/√n, where that of the median deviation is 1.2/√n.
func Scatter(values []float64) float64 {
	const normal = 1.0483
	apart := make([]float64, 0, len(values)*len(values)/2)
	for i, a := range values {
		for _, b := range values[:i] {
			apart = append(apart, math.Abs(a-b))
		}
	}
	return normal * Median(apart)
}
