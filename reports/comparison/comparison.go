// Package comparison reports the differences between two sides, base and head. It shows the tables
// that benchstat would print, with verdicts next to the numbers. Profiles are also compared as a
// whole, above those tables. In a trial, both sides were measured together in rounds, and each
// round gives a pair of samples; the runs in other comparisons are called unpaired.
//
// Start reading at comparison.go, where [Report] builds the report. rows.go builds its tables from
// the cells of package rowcells, and geomeans.go their means. summary.go and census.go count the
// verdicts in one line, facts.go and sides.go write the lines above the tables, limits.go the
// limits below them, and leftout.go the lists of benchmarks without a row. terminal.go lays the
// report out differently for terminals: screen.go builds its tables, fold.go decides which rows are
// only counted, and advice.go and again.go suggest commands. Package profilediff compares whole
// profiles, and scopes.go call trees. json.go and csv.go write output for programs, and outcomes.go
// for CI systems. [Words] describes a single row for callers with their own layout.
package comparison

import (
	"fmt"
	"slices"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/gates"
	"github.com/perftrack/perftrack/compare/profiles"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/reports/comparison/profilediff"
)

// Report reports a comparison in the default view.
func Report(c *compare.Comparison) reports.Report { return View{}.Report(c) }

// Report reports the rows selected by the view. JSON, CSV and the formats for CI systems always
// include all rows.
func (v View) Report(c *compare.Comparison) reports.Report {
	r := reports.Report{
		Title:    "Comparison",
		Kind:     "comparison",
		Document: func() reports.Object { return v.document(c) },
		Records:  func() [][]any { return records(c) },
		Outcomes: func() []reports.Outcome { return Outcomes(c, gates.NoUnpaired) },
	}
	r.Facts = append(r.Facts, sideFact("base", c.Base, c, func(r *compare.Row) int { return r.Base.N }))
	r.Facts = append(r.Facts, sideFact("head", c.Head, c, func(r *compare.Row) int { return r.Head.N }))
	if f, ok := decisionFact(c); ok {
		r.Facts = append(r.Facts, f)
	}
	notes := &reports.Footnotes{}
	diffs := v.profiles(c)
	for _, p := range diffs {
		r.Tables = append(r.Tables, profilediff.Tables(c, p, v.All, notes)...)
	}
	r.Tables = append(r.Tables, rowTables(c, v.tables(c), v.All, diffs, notes)...)
	if limits, ok := limitTable(c, notes); ok && len(r.Tables) > 0 {
		limits.Facts = r.Tables[len(r.Tables)-1].Facts // so that they are not repeated
		r.Tables = append(r.Tables, limits)
	}
	r.Notes = notes.Notes
	r.Summary, r.Tone = v.gated(withLimits(c))
	r.Remarks = v.remarks(c, r.Notes, Legend(c)...)
	r.Lists = v.lists(LeftOuts(c))
	whole := r
	r.Terminal = func() reports.Report { return v.terminal(c, whole) }
	return r
}

// profiles returns the comparisons of profiles as a whole. It returns nil if the view filters rows,
// because the filters cannot be applied to a profile as a whole.
func (v View) profiles(c *compare.Comparison) []*profiles.Diff {
	if v.Narrow() {
		return nil
	}
	return profiles.Of(c)
}

// remarks returns the sentences of the legend and the caveats, except for caveats already in
// footnotes.
func (v View) remarks(c *compare.Comparison, notes []reports.Note, legend ...string) (out []reports.Note) {
	for _, sentence := range legend {
		if sentence != "" {
			out = append(out, reports.Note{Text: sentence})
		}
	}
	for _, p := range v.profiles(c) {
		for _, caveat := range p.Caveats {
			out = append(out, reports.Note{Text: caveat.Text, Detail: caveat.Detail})
		}
	}
	if hidden := v.hidden(c); hidden != "" {
		out = append(out, reports.Note{Text: hidden})
	}
	for _, caveat := range c.Caveats {
		if n := (reports.Note{Text: caveat.Text, Detail: caveat.Detail}); !slices.Contains(notes, n) {
			out = append(out, n)
		}
	}
	return out
}

// newShown is the number of new benchmarks to name unless the user requests all rows. A long list
// would scroll the verdict off the screen.
const newShown = 10

func (v View) lists(left []LeftOut) (out []reports.List) {
	for _, l := range left {
		if more := len(l.Items) - newShown; l.Why == New && more > 1 && !v.All {
			l.N = len(l.Items)
			l.Items = append(slices.Clip(l.Items[:newShown]), reports.Note{Text: fmt.Sprintf("and %d more: perftrack compare --all", more)})
		}
		out = append(out, reports.List{Title: l.Title, Items: l.Items, N: l.N})
	}
	return out
}
