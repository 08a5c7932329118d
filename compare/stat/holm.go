package stat

import (
	"cmp"
	"slices"
)

// Holm adjusts the p-values of the hypotheses still open, among m tested ones, and returns them in
// the same order. Rejecting every hypothesis with an adjusted p-value of at most alpha keeps the
// probability of a false rejection at or below share·alpha, even for dependent tests (Holm 1979, "A
// simple sequentially rejective multiple test procedure", Scandinavian Journal of Statistics 6).
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

// correct fills in the adjusted p-values of the open hypotheses in group g, in the direction of
// family f. The group had m hypotheses; earlier looks may have rejected some. correct applies
// Holm's correction and divides by this look's share of the error rate, so that the result can be
// compared with Alpha.
func (s *Sequence) correct(g group, m int, share float64, f family) {
	var open []*float64
	var p []float64
	for i := range s.series {
		st := &s.series[i]
		at, tested, of := &st.now, st.tested(), st.rejected[0]
		if g.mean {
			at, tested, of = &st.mean, st.round == 0 && st.mean.cause == NoCause, st.rejected[1]
		}
		switch {
		case st.Unknown != g.unknown:
		case tested:
			open = append(open, &at.adjusted[st.side(f)])
			p = append(p, [2]float64{at.up, at.down}[st.side(f)])
		case st.round > 0 && !st.decision.Exact && of == f:
			m--
		}
	}
	for i, adjusted := range Holm(p, m, share) {
		*open[i] = adjusted
	}
}
