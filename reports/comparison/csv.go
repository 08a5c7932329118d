package comparison

import (
	"math"
	"strings"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/runner/record"
)

// records has a line for each row of each table. p is benchstat's, of unpaired samples;
// adjusted_p is of the decision.
func records(c *compare.Comparison) [][]any {
	out := [][]any{reports.ColumnNames(`target kind package suite name unit better
		base_center base_lo base_hi base_n head_center head_lo head_hi head_n
		delta p tested adjusted_p shift shift_lo shift_hi shift_absolute threshold
		derived exact verdict reason notes rounds pair_noise
		way why slices slice_ns clock estimator limit limit_base limit_head
		by_mean mean_shift mean_lo mean_hi mean_bound slow_base slow_head`)}
	for r := range c.Rows() {
		line := append(reports.BenchmarkValues(r.Target, r.BenchmarkID), r.Unit, r.Better)
		line = append(line, reports.SummaryValues(r.Base)...)
		line = append(line, reports.SummaryValues(r.Head)...)
		adjusted := r.AdjustedP
		if r.Exact {
			adjusted = math.NaN() // there is no test of counts that repeat
		}
		line = append(line, r.Delta, r.P, r.Tested, adjusted)
		line = append(line, r.Shift.Center, r.Shift.Lo, r.Shift.Hi, r.Shift.Absolute, r.Threshold)
		var notes []string
		for _, n := range r.Notes {
			notes = append(notes, n.String())
		}
		line = append(line, r.Derived, r.Exact, r.Verdict, r.Reason, strings.Join(notes, "; "))
		line = append(line, numberOrNone(float64(r.Rounds)), numberOrNone(r.PairNoise))
		var way record.Way
		if r.Way != nil {
			way = *r.Way
		}
		line = append(line, way.How, way.Why, numberOrNone(float64(way.Slices)), numberOrNone(float64(way.Length)), way.Clock, way.Estimator)
		line = append(line, limitRecord(r.Limits)...)
		line = append(line, meanRecord(r)...)
		out = append(out, line)
	}
	return out
}

// meanRecord are what a trial says of the mean of all slices; empty cells without any.
func meanRecord(r *compare.Row) []any {
	m := r.Mean
	if m == nil {
		return make([]any, 7)
	}
	return []any{r.ByMean, m.Shift.Center, m.Shift.Lo, m.Shift.Hi, m.Bound, m.Slow[0], m.Slow[1]}
}

// numberOrNone is an empty cell in place of 0.
func numberOrNone(x float64) any {
	if x == 0 {
		return nil
	}
	return x
}
