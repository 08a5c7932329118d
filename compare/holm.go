package compare

import (
	"cmp"
	"slices"
)

// holm returns the p-values adjusted for being len(p) hypotheses, in the order
// of p: rejecting those of at most alpha errs anywhere with a chance of at
// most alpha, whatever their dependence (Holm 1979, "A simple sequentially
// rejective multiple test procedure", Scandinavian Journal of Statistics 6).
func holm(p []float64) []float64 {
	order := make([]int, len(p))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(p[i], p[j]) })
	adjusted := make([]float64, len(p))
	largest := 0.0
	for rank, i := range order {
		largest = max(largest, min(1, float64(len(p)-rank)*p[i]))
		adjusted[i] = largest
	}
	return adjusted
}

// smallestP is the smallest p that a two-sided Mann-Whitney test of n1 and n2
// samples can give: 2/C(n1+n2, n1).
func smallestP(n1, n2 int) float64 {
	p := 2.0
	for i := 1; i <= n1; i++ {
		p *= float64(i) / float64(n2+i)
	}
	return min(1, p)
}

// roundsNeeded is the smallest number of samples a side with which one of m
// rows can be flagged at alpha.
func roundsNeeded(alpha float64, m int) int {
	n := 2
	for smallestP(n, n) > alpha/float64(m) {
		n++
	}
	return n
}
