package stat

import (
	"math"

	"github.com/aclements/go-moremath/stats"
)

// LeastUnpairedP returns the smallest possible p for samples of these sizes. It occurs if all
// values on one side are above all values on the other.
func LeastUnpairedP(n1, n2 int) float64 { return min(1, 2*uCDF(n1, n2, 0)) }

// uCDF returns the probability of a Mann-Whitney statistic of at most u if nothing changed. Like
// benchmath, it uses the exact distribution for small samples, and the normal one with continuity
// correction otherwise.
func uCDF(n1, n2, u int) float64 {
	if max(n1, n2) <= stats.MannWhitneyExactLimit {
		return stats.UDist{N1: n1, N2: n2}.CDF(float64(u))
	}
	mean := float64(n1*n2) / 2
	sigma := math.Sqrt(float64(n1*n2) * float64(n1+n2+1) / 12)
	return stats.StdNormal.CDF((float64(u) + 0.5 - mean) / sigma)
}

// countedRuns is the largest number of runs, in two samples together, counted by uRank. For larger
// samples, the counts may exceed 64 bits.
const countedRuns = 60

// uRank returns the largest k such that a Mann-Whitney statistic of less than k has a probability
// below tail, but no more than half of the largest statistic.
func uRank(n1, n2 int, tail float64) int {
	n1, n2 = min(n1, n2), max(n1, n2)
	most := n1 * n2 / 2
	if n1+n2 > countedRuns || n2 > stats.MannWhitneyExactLimit {
		k := 0 // P(U < k) <= tail holds at k
		for k < most {
			mid := (k + most + 1) / 2
			if uCDF(n1, n2, mid-1) <= tail {
				k = mid
			} else {
				most = mid - 1
			}
		}
		return k
	}
	all, below := uint64(1), uint64(0)
	for i := range n1 {
		all = all * uint64(n1+n2-i) / uint64(i+1)
	}
	for k, n := range orders(n1, n2, most) {
		if below += n; k == most || float64(below) >= tail*float64(all) {
			return k
		}
	}
	return 0
}

// orders returns how many orders of two samples have each Mann-Whitney statistic from 0 to most.
// These are the coefficients of a Gaussian binomial: of the product of (1-q^(n2+i)) / (1-q^i) for i
// from 1 to n1. A product takes far fewer steps than the recurrence of Mann and Whitney.
func orders(n1, n2, most int) []uint64 {
	counts := make([]uint64, most+1)
	counts[0] = 1
	for i := 1; i <= n1; i++ {
		for k := most; k >= n2+i; k-- {
			counts[k] -= counts[k-n2-i]
		}
		for k := i; k <= most; k++ {
			counts[k] += counts[k-i]
		}
	}
	return counts
}
