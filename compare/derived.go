package compare

import (
	"math"
	"slices"

	"github.com/perftrack/perftrack/compare/stat"
)

// mostAveraged is the largest number of rounds for which an estimate uses the averages of every two
// rounds.
const mostAveraged = 1000

// estimateDerived estimates the changes in units derived from the time, so the change in every row
// of a trial comes from its pairs. These changes are shown without an interval and decide nothing.
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

// logRatios returns the logarithms of head over base for the rounds with both sides, or nil if any
// of these logarithms is not finite.
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

// alone turns each value into a pair with the value as Head and 0 as Base.
func alone(values []float64) []stat.Pair {
	out := make([]stat.Pair, len(values))
	for i, v := range values {
		out[i].Head = v
	}
	return out
}
