package stat

import (
	"cmp"
	"slices"
)

// Holm returns the p-values of some of m hypotheses, of which the others are rejected
// already or will never be, adjusted for being so many and for a share of the error rate, in
// the order of p: rejecting those of at most alpha errs anywhere with a chance of at
// most share times alpha, whatever their dependence (Holm 1979, "A simple sequentially
// rejective multiple test procedure", Scandinavian Journal of Statistics 6).
func Holm(p []float64, m int, share float64) []float64 {
	order := make([]int, len(p))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(p[i], p[j]) })
	adjusted := make([]float64, len(p))
	largest := 0.0
	for rank, i := range order {
		largest = max(largest, min(1, p[i]*float64(m-rank)/share))
		adjusted[i] = largest
	}
	return adjusted
}
