package compare

import (
	"math"

	"github.com/aclements/go-moremath/stats"
)

// MeanChange returns the geometric mean of the changes in rows, as a fraction. It returns NaN if no
// row was compared, or if any change is unknown or has no ratio.
func MeanChange(rows []*Row) float64 {
	sum, n := 0.0, 0
	for _, r := range rows {
		if r.HasDelta() {
			sum += math.Log1p(r.Change())
			n++
		}
	}
	if sum-sum != 0 || n == 0 {
		return math.NaN() // no row, or an unknown or infinite change
	}
	return math.Expm1(sum / float64(n))
}

// geomean computes the last row of a table in the same way as summarizeCol in
// golang.org/x/perf/cmd/benchstat.
func geomean(rows []*Row) Geomean {
	var bases, heads, ratios []float64
	compared, paired, zero := false, 0, false
	for _, r := range rows {
		if r.Base.N > 0 {
			bases = append(bases, r.Base.Center)
		}
		if r.Head.N > 0 {
			heads = append(heads, r.Head.Center)
		}
		if !r.HasDelta() {
			continue
		}
		compared = true
		paired++
		switch a, b := r.Head.Center, r.Base.Center; {
		case a == b:
			ratios = append(ratios, 1) // 0 to 0 counts as no change
		case b == 0:
			zero = true
		default:
			ratios = append(ratios, a/b)
		}
	}
	g := Geomean{Base: stats.GeoMean(bases), Head: stats.GeoMean(heads), Ratio: math.NaN()}
	note := func(text string) { g.Notes = append(g.Notes, Caveat{Code: CodeSample, Text: text}) }
	if compared && (paired != len(bases) || paired != len(heads)) {
		note("benchmark set differs from baseline; geomeans may not be comparable")
	}
	if len(bases) > 0 && math.IsNaN(g.Base) || len(heads) > 0 && math.IsNaN(g.Head) {
		note("summaries must be >0 to compute geomean")
	}
	if compared && !zero {
		g.Ratio = stats.GeoMean(ratios)
		if math.IsNaN(g.Ratio) {
			note("ratios must be >0 to compute geomean")
		}
	}
	return g
}
