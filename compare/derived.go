package compare

import (
	"math"
	"slices"

	"github.com/perftrack/perftrack/compare/stat"
)

// mostAveraged is of how many rounds at most an estimate takes the averages of each two.
const mostAveraged = 1000

// estimateDerived estimates the changes of units that follow from the time, so that what
// stands beside the centers of a trial is of its pairs in every row. They are shown without
// an interval and decide nothing.
func (c *Comparison) estimateDerived() {
	pairs := map[*Pairing]map[seriesUnit][]stat.Pair{}
	var test stat.SignedRank
	for _, t := range c.Tables {
		for _, r := range t.Rows {
			if !t.Trial || !r.Derived || !r.Compared() {
				continue
			}
			if pairs[t.Pairing] == nil {
				pairs[t.Pairing] = t.byRound()
			}
			ratios := logRatios(pairs[t.Pairing][seriesUnit{r.BenchmarkID, r.OrigUnit}])
			switch n := len(ratios); {
			case n == 0:
				continue
			case n > mostAveraged:
				r.Shift.Center = math.Expm1(stat.Median(ratios))
			default:
				test.Load(alone(ratios))
				r.Shift.Center = math.Expm1(test.Interval(0).Center)
			}
			r.Shift.Lo, r.Shift.Hi = math.Inf(-1), math.Inf(1)
		}
	}
}

// logRatios are the logarithms of head over base of the rounds with both sides; nil where
// one of them has none.
func logRatios(pairs []stat.Pair) []float64 {
	var out []float64
	for _, p := range pairs {
		r := math.Log(p.Head / p.Base)
		switch {
		case math.IsNaN(p.Base) || math.IsNaN(p.Head):
		case r-r != 0:
			return nil
		default:
			out = append(out, r)
		}
	}
	return slices.Clip(out)
}

// alone makes pairs of which head is the value and base is 0.
func alone(values []float64) []stat.Pair {
	out := make([]stat.Pair, len(values))
	for i, v := range values {
		out[i].Head = v
	}
	return out
}
