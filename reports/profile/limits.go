package profile

import (
	"slices"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/profiles"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/runner/record"
)

// AddLimits adds the results of the limits on scopes and profiles to a report on runs.
func AddLimits(r *reports.Report, limits compare.Limits, runs []*record.Run) {
	all, unmatched, ok := profiles.Judge(limits, runs...)
	if ok {
		r.Remarks = append(r.Remarks, reports.Note{Text: unmatched.Text, Detail: unmatched.Detail})
	}
	if len(all) == 0 {
		return
	}
	t, words, tone := reports.LimitTable(all)
	r.Tables = append(r.Tables, beside(r, t))
	r.Summary, r.Tone = words, tone
	document := r.Document
	r.Document = func() reports.Object {
		return slices.Concat(document(), reports.Object{{"limits", reports.Objects(&all, limitFields)}})
	}
}

func limitFields(l *compare.RunLimit) reports.Object {
	return slices.Concat(reports.BenchmarkFields(&l.ID), reports.Object{
		{"limit", &l.Text},
		{"on", &l.On}, // "scope", or "profile" for the suite as a whole
		{"unit", &l.Unit},
	}, reports.LimitFields(&l.Judged))
}
