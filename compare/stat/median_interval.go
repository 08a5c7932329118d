package stat

import (
	"math"
	"slices"
)

// MedianInterval returns the median of values and an interval between two of them. For any
// distribution, the median of the population lies below the interval with a probability of at most
// tail, and above it with the same probability: the number of values on either side is binomial
// (David, Nagaraja, Order Statistics, 3rd ed., section 7.1). If there are too few values, the
// interval is infinite.
func MedianInterval(values []float64, tail float64) (center, lo, hi float64) {
	sorted := slices.Sorted(slices.Values(values))
	lo, hi = math.Inf(-1), math.Inf(1)
	if k := medianRank(len(sorted), tail); k > 0 {
		lo, hi = sorted[k-1], sorted[len(sorted)-k]
	}
	return Median(sorted), lo, hi
}

// MedianNeeds returns how many values are needed for a finite interval of the median.
func MedianNeeds(tail float64) int {
	return int(math.Ceil(-math.Log2(tail) - 1e-9))
}

// medianRank returns the largest k such that fewer than k of n values lie below the median with a
// probability of at most tail, or 0.
func medianRank(n int, tail float64) (k int) {
	below := 0.0 // P(fewer than k below)
	for k < (n+1)/2 {
		if below += binomialHalf(n, k); below > tail*(1+1e-12) {
			break
		}
		k++
	}
	return k
}

// binomialHalf returns the probability of k heads in n tosses.
func binomialHalf(n, k int) float64 {
	all, _ := math.Lgamma(float64(n + 1))
	heads, _ := math.Lgamma(float64(k + 1))
	tails, _ := math.Lgamma(float64(n - k + 1))
	return math.Exp(all - heads - tails - float64(n)*math.Ln2)
}
