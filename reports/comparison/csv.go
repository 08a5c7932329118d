package comparison

import (
	"math"
	"strings"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/runner/record"
)

// records returns the column names followed by one line for each row of each table. p is
// benchstat's p-value, for unpaired samples, and adjusted_p is the p-value that decides the
// verdict.
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
			adjusted = math.NaN() // exact counts are not tested
		}
		line = append(line, r.Delta, r.P, r.Tested, adjusted)
		line = append(line, r.Shift.Center, r.Shift.Lo, r.Shift.Hi, r.Shift.Absolute, r.Threshold)
		var notes []string
		for _, n := range r.Notes {
			notes = append(notes, n.String())
		}
		line = append(line, r.Derived, r.Exact, r.Verdict, r.Reason, strings.Join(notes, "; "))
		line = append(line, numberOrNone(float64(r.Rounds)), numberOrNone(r.PairNoise))
		var way record.Method
		if r.Method != nil {
			way = *r.Method
		}
		line = append(line, way.How, way.Reason(), numberOrNone(float64(way.Slices)), numberOrNone(float64(way.Length)), way.Clock, way.Estimator)
		line = append(line, limitRecord(r.Limits)...)
		line = append(line, meanRecord(r)...)
		out = append(out, line)
	}
	return out
}

// meanRecord returns the cells for the mean of all slices, where a slice is a short turn of one
// side. The cells are empty for a row without slices.
func meanRecord(r *compare.Row) []any {
	m := r.Mean
	if m == nil {
		return make([]any, 7)
	}
	return []any{r.ByMean, m.Shift.Center, m.Shift.Lo, m.Shift.Hi, m.Bound, m.Slow[0], m.Slow[1]}
}

// numberOrNone returns x, or nil if x is 0, so that the cell is empty.
func numberOrNone(x float64) any {
	if x == 0 {
		return nil
	}
	return x
}
