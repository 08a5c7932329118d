package runs

import (
	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/anchors"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/runner/limit"
	"github.com/perftrack/perftrack/runner/record"
)

// addLimits adds a table with one row for each limit, and makes the counts of limits the summary of
// the report.
func addLimits(r *reports.Report, limits compare.Limits, runs []*record.Run) {
	all, unmatched, ok := limits.Of(runs...)
	if ok {
		r.Remarks = append(r.Remarks, reports.Note{Text: unmatched.Text, Detail: unmatched.Detail})
	}
	if len(all) == 0 {
		return
	}
	t, words, tone := reports.LimitTable(all)
	t.Facts = r.Tables[len(r.Tables)-1].Facts // so that they are not repeated
	r.Tables = append(r.Tables, t)
	r.Summary, r.Tone = words, tone
}

// judged returns the limits on a benchmark in the unit of s, and the result of each limit. For
// scopes and anchors it returns nil.
func judged(limits compare.Limits, r *record.Run, b *record.Benchmark, s record.Samples) (limit.List, []compare.Judged) {
	if b.Kind != record.Bench || anchors.Is(r) {
		return nil, nil
	}
	return limits.Judge(b.Name, s, r.Exact(s.Unit))
}

// limitRecord returns the cells of a CSV line that hold the limits on a benchmark in one unit and
// their states.
func limitRecord(limits compare.Limits, r *record.Run, b *record.Benchmark, s record.Samples) []any {
	return reports.JudgedRecord(judged(limits, r, b, s))
}

// limitFields describes the limits on a benchmark in one unit and their results.
func limitFields(limits compare.Limits, r *record.Run, b *record.Benchmark, s *record.Samples) []reports.Object {
	return reports.JudgedFields(judged(limits, r, b, *s))
}

// limitOutcomes returns the outcome of each limit in each run.
func limitOutcomes(limits compare.Limits, runs []*record.Run) (out []reports.Outcome) {
	all, _, _ := limits.Of(runs...)
	for _, l := range all {
		o := reports.Outcome{Target: l.Run.Target, BenchmarkID: l.ID, Unit: l.Unit}
		out = append(out, reports.LimitOutcome(o, l.Limit, l.Judged, true, reports.LimitState(l.Judged)))
	}
	return out
}
