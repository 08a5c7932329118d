package stat

import (
	"math"
	"slices"
)

// MedianInterval returns the median of values and the interval between two of them that the
// median of what they are drawn from lies below, and above, with a chance of at most tail
// each, whatever its distribution: the binomial one says how many of the values lie on
// either side (David, Nagaraja, Order Statistics, 3rd ed., section 7.1). The interval is
// infinite where too few values are given.
func MedianInterval(values []float64, tail float64) (center, lo, hi float64) {
	sorted := slices.Sorted(slices.Values(values))
	center, lo, hi = Median(sorted), math.Inf(-1), math.Inf(1)
	if k := medianRank(len(sorted), tail); k > 0 {
		lo, hi = sorted[k-1], sorted[len(sorted)-k]
	}
	return center, lo, hi
}

// MedianNeeds returns how many values an interval of the median takes.
func MedianNeeds(tail float64) int {
	return int(math.Ceil(-math.Log2(tail) - 1e-9))
}

// medianRank is the largest k for which at most tail is the chance that fewer than k of n
// values lie below the median; 0 where there is none.
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

// binomialHalf is the chance of k heads in n tosses.
func binomialHalf(n, k int) float64 {
	all, _ := math.Lgamma(float64(n + 1))
	heads, _ := math.Lgamma(float64(k + 1))
	tails, _ := math.Lgamma(float64(n - k + 1))
	return math.Exp(all - heads - tails - float64(n)*math.Ln2)
}
