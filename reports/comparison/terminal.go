package comparison

import (
	"slices"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/gates"
	"github.com/perftrack/perftrack/compare/profiles"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/reports/comparison/profilediff"
)

// terminal returns the report r for a terminal. The verdict is both the first and the last line,
// regressions are at the top, unchanged rows are only counted if there are many rows, and the
// commands to run next are at the end. Further details are left to the other formats.
func (v View) terminal(c *compare.Comparison, r reports.Report) reports.Report {
	r.Summary, r.Tone = v.gated(census(c))
	r.Verdict = len(c.Tables) > 0 || v.Gate != nil
	r.Facts = v.sides(c)
	if f, ok := decisionFact(c); ok {
		r.Facts = append(r.Facts, f)
	}
	notes := &reports.Footnotes{}
	diffs := profiles.Of(c)
	s := screen{c: c, v: v, notes: notes, diffs: diffs, fold: v.folds(c)}
	tables, alone := s.tables()
	r.Tables = tables
	if !v.Narrow() {
		for _, p := range diffs {
			r.Tables = append(r.Tables, profilediff.Tables(c, p, v.All, notes)...)
		}
		if limits, ok := limitTable(c, notes); ok {
			if n := len(r.Tables); n > 0 {
				limits.Facts = r.Tables[n-1].Facts // so that they are not repeated
			}
			r.Tables = append(r.Tables, limits)
		}
	}
	r.Tables = append(r.Tables, alone...)
	for i := range r.Tables {
		r.Tables[i].Facts = inShort(r.Tables[i].Facts)
	}
	left := LeftOuts(c)
	if len(c.Tables) == 0 && len(c.Same) == 1 && len(c.Unreached) == 0 { // the summary is enough
		left = slices.DeleteFunc(left, func(l LeftOut) bool { return l.Why == SameCode })
	}
	r.Lists = v.lists(left)
	r.Remarks = append(v.remarks(c, r.Notes, rowLegend(c, "noise")), s.remarks()...)
	r.Notes = notes.Notes
	r.Next = v.next(c)
	return r
}

// remarks returns the remarks that only a terminal shows.
func (s *screen) remarks() (out []reports.Note) {
	if s.counted > 0 {
		out = append(out, reports.Note{Text: "unchanged rows are only counted: show them with perftrack compare --all"})
	}
	for _, words := range undecidedWords(s.c) {
		out = append(out, reports.Note{Text: words})
	}
	if words, names := UnprovenMeans(s.c); words != "" && s.v.Gate != nil && s.v.Gate.Cause == gates.CauseGap {
		out = append(out, reports.Note{Text: words, Detail: names})
	}
	return out
}
