package comparison

import (
	"math"
	"strconv"
	"time"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/runner/record"
)

// Legend returns two sentences that explain the rows of a trial: one about how they were measured
// and one about the columns of raw samples. It returns nil if no row was measured in pairs.
func Legend(c *compare.Comparison) []string {
	first := rowLegend(c, "pair noise")
	if first == "" {
		return nil
	}
	return []string{first, "medians, ± and unpaired p come from raw samples, which include noise common to both sides; verdicts compare round by round"}
}

// rowLegend explains how the rows of a trial were measured, or returns "" if no row was measured in
// pairs. noise is the name of the column of the noise.
func rowLegend(c *compare.Comparison, noise string) string {
	paired := false
	least, most := time.Duration(math.MaxInt64), time.Duration(0) // shortest and longest slice, where a slice is a turn of one side
	for _, t := range c.Tables {
		for _, r := range t.Rows {
			if !t.Trial || r.Rounds == 0 || r.Exact {
				continue
			}
			paired = true
			if r.Method != nil && r.Method.How == record.MethodSlices && r.Method.Length > 0 {
				least, most = min(least, r.Method.Length), max(most, r.Method.Length)
			}
		}
	}
	if !paired {
		return ""
	}
	turns := "base and head ran one after the other"
	if most > 0 {
		turns = "base and head took turns of " + spanOf(least, most)
	}
	return turns + "; change: in a typical round [" + reports.Level(1-2*c.Options.Alpha) + " interval]; " + noise + ": from round to round"
}

// spanOf formats the range of slice lengths from least to most: "2 ms", "0.5 to 20 ms".
func spanOf(least, most time.Duration) string {
	text := func(d time.Duration) string { return strconv.FormatFloat(d.Seconds()*1e3, 'g', 2, 64) }
	if text(least) == text(most) {
		return text(least) + " ms"
	}
	return text(least) + " to " + text(most) + " ms"
}
