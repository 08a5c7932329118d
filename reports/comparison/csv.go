package comparison

import (
	"strings"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/reports"
)

// records has a line for each row of each table.
func records(c *compare.Comparison) [][]any {
	out := [][]any{reports.ColumnNames(`target kind package suite name unit better
		base_center base_lo base_hi base_n head_center head_lo head_hi head_n
		delta p tested adjusted_p shift shift_lo shift_hi shift_absolute threshold
		derived exact verdict reason notes`)}
	for r := range c.Rows() {
		line := append(reports.BenchmarkValues(r.Target, r.BenchmarkID), r.Unit, r.Better)
		line = append(line, reports.SummaryValues(r.Base)...)
		line = append(line, reports.SummaryValues(r.Head)...)
		line = append(line, r.Delta, r.P, r.Tested, r.AdjustedP)
		line = append(line, r.Shift.Center, r.Shift.Lo, r.Shift.Hi, r.Shift.Absolute, r.Threshold)
		var notes []string
		for _, n := range r.Notes {
			notes = append(notes, n.String())
		}
		line = append(line, r.Derived, r.Exact, r.Verdict, r.Reason, strings.Join(notes, "; "))
		out = append(out, line)
	}
	return out
}
