package runs

import (
	"strings"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/runner/record"
)

// outcomes returns an outcome for each benchmark in each run: measured or failed.
func outcomes(runs []*record.Run) (out []reports.Outcome) {
	for _, r := range runs {
		for _, group := range groups(r) {
			for _, b := range group {
				out = append(out, reports.Outcome{Target: r.Target, BenchmarkID: b.BenchmarkID, State: reports.Passed, Words: measured(r, b)})
			}
		}
		for _, f := range r.Failures {
			out = append(out, reports.Failed(r.Target, f))
		}
	}
	return out
}

// measured lists a benchmark's medians in all units.
func measured(r *record.Run, b *record.Benchmark) string {
	var parts []string
	for _, s := range b.Series() {
		sum, unit := compare.Summarize(s, r.Exact(s.Unit), reports.Confidence)
		if sum.N > 0 {
			parts = append(parts, reports.ScaleFor(unit, sum.Center).Format(sum.Center)+" "+unit)
		}
	}
	return "measured: " + strings.Join(parts, ", ")
}
