package compare

import (
	"math"

	"github.com/perftrack/perftrack/compare/pairs"
	"github.com/perftrack/perftrack/compare/stat"
)

// mostAveraged is the largest number of rounds for which an estimate uses the averages of every two
// rounds.
const mostAveraged = 1000

// estimateDerived estimates the changes in units derived from the time, so the change in every row
// of a trial comes from its pairs. These changes are shown without an interval and decide nothing.
func (c *Comparison) estimateDerived() {
	all := map[*pairs.Pairing]map[pairs.SeriesUnit][]stat.Pair{}
	var test stat.SignedRank
	for _, t := range c.Tables {
		for _, r := range t.Rows {
			if !t.Trial || !r.Derived || !r.Compared() {
				continue
			}
			if all[t.Pairing] == nil {
				all[t.Pairing] = t.Rounds()
			}
			ratios := stat.LogRatios(all[t.Pairing][pairs.SeriesUnit{BenchmarkID: r.BenchmarkID, Unit: r.OrigUnit}])
			switch n := len(ratios); {
			case n == 0:
				continue
			case n > mostAveraged:
				r.Shift.Center = math.Expm1(stat.Median(ratios))
			default:
				test.Load(stat.Alone(ratios))
				r.Shift.Center = math.Expm1(test.Interval(0).Center)
			}
			r.Shift.Lo, r.Shift.Hi = math.Inf(-1), math.Inf(1)
		}
	}
}
