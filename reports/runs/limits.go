package runs

import (
	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/runner/limit"
	"github.com/perftrack/perftrack/runner/record"
)

// addLimits adds a row for each limit, and counts them in the summary.
func addLimits(r *reports.Report, limits compare.Limits, runs []*record.Run) {
	all, unmatched, ok := limits.Of(runs...)
	if ok {
		r.Remarks = append(r.Remarks, reports.Note{Text: unmatched.Text, Detail: unmatched.Detail})
	}
	if len(all) == 0 {
		return
	}
	t, words, tone := reports.LimitTable(all)
	t.Facts = r.Tables[len(r.Tables)-1].Facts // no others, though a row has its own
	r.Tables = append(r.Tables, t)
	r.Summary, r.Tone = words, tone
}

// judged are the limits of one unit of a benchmark.
func judged(limits compare.Limits, r *record.Run, b *record.Benchmark, s record.Samples) (limit.List, []compare.Judged) {
	if b.Kind != record.Bench || compare.IsAnchor(r) {
		return nil, nil
	}
	return limits.Judge(b.Name, s, r.Exact(s.Unit))
}

// limitRecord has the limits of one unit and their states for one line.
func limitRecord(limits compare.Limits, r *record.Run, b *record.Benchmark, s record.Samples) []any {
	return reports.JudgedRecord(judged(limits, r, b, s))
}

// limitFields are the limits of one unit, and what its samples say of each.
func limitFields(limits compare.Limits, r *record.Run, b *record.Benchmark, s *record.Samples) []reports.Object {
	return reports.JudgedFields(judged(limits, r, b, *s))
}

// limitOutcomes has each limit of each run.
func limitOutcomes(limits compare.Limits, runs []*record.Run) (out []reports.Outcome) {
	all, _, _ := limits.Of(runs...)
	for _, l := range all {
		o := reports.Outcome{Target: l.Run.Target, BenchmarkID: l.ID, Unit: l.Unit}
		out = append(out, reports.LimitOutcome(o, l.Limit, l.Judged, true, reports.LimitState(l.Judged)))
	}
	return out
}
