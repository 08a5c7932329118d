package runs

import (
	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/runner/record"
)

// records returns the column names followed by one line for each benchmark and unit of each run.
func records(limits compare.Limits, runs []*record.Run) [][]any {
	out := [][]any{reports.ColumnNames("run_id commit dirty start environment_id target kind package suite name unit center lo hi n limit limit_state")}
	for _, r := range runs {
		lead := []any{r.ID(), r.Commit.SHA, r.Commit.Dirty, r.Start, r.Env.EnvironmentID()}
		for _, group := range groups(r) {
			for _, b := range group {
				for _, s := range b.Series() {
					sum, unit := compare.Summarize(s, r.Exact(s.Unit), reports.Confidence)
					line := append(append([]any{}, lead...), reports.BenchmarkValues(r.Target, b.BenchmarkID)...)
					line = append(append(line, unit), reports.SummaryValues(sum)...)
					out = append(out, append(line, limitRecord(limits, r, b, s)...))
				}
			}
		}
	}
	return out
}
