// Package comparison reports what two sides differ in: a table for each that benchstat
// would print, with the verdicts beside its numbers, and before that profiles as a whole.
//
// Begin with comparison.go, in which [Report] makes the report and the tables of rows;
// verdict.go sums them up in a line, facts.go says what stands above them, limits.go what stands
// below, unjudged.go what has no row. profiles.go,
// scopes.go and engine.go compare profiles, call trees and the engine's suites; json.go
// and csv.go are for programs, outcomes.go for the pages of a CI. [Words] gives the texts of one row, for callers with a
// layout of their own.
package comparison

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"golang.org/x/perf/benchmath"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/profiles"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/runner/record"
)

// Report reports two sides: a table for each that benchstat would print, with its
// numbers, and beside them the verdicts of runs that were measured in one trial.
// Profiles, and runs of the engine's suites, are compared as a whole before that, see
// profiles.go.
func Report(c *compare.Comparison) reports.Report { return View{}.Report(c) }

// Report reports the rows that the view has. JSON and CSV have all of them, and so have the
// formats of CIs.
func (v View) Report(c *compare.Comparison) reports.Report {
	r := reports.Report{
		Title:    "Comparison",
		Kind:     "comparison",
		Document: func() reports.Object { return document(c) },
		Records:  func() [][]any { return records(c) },
		Outcomes: func() []reports.Outcome { return Outcomes(c, compare.NoApartGate) },
		Terminal: func() reports.Report { return v.terminal(c) },
	}
	r.Facts = append(r.Facts, sideFact("base", c.Base, c, func(r *compare.Row) int { return r.Base.N }))
	r.Facts = append(r.Facts, sideFact("head", c.Head, c, func(r *compare.Row) int { return r.Head.N }))
	if f, ok := decisionFact(c); ok {
		r.Facts = append(r.Facts, f)
	}
	notes := &reports.Footnotes{}
	diffs := profiles.Of(c)
	if v.Narrow() {
		diffs = nil // of whole profiles, which the filters are not about
	}
	for _, p := range diffs {
		r.Tables = append(r.Tables, profileTables(c, p, v.All, notes)...)
		for _, caveat := range p.Caveats {
			r.Remarks = append(r.Remarks, reports.Note{Text: caveat.Text, Detail: caveat.Detail})
		}
	}
	r.Tables = append(r.Tables, rowTables(c, v.tables(c), v.All, diffs, notes)...)
	if limits, ok := limitTable(c, notes); ok && len(r.Tables) > 0 {
		limits.Facts = r.Tables[len(r.Tables)-1].Facts // no others, though a row has its own
		r.Tables = append(r.Tables, limits)
	}
	r.Notes = notes.Notes
	r.Summary, r.Tone = v.gated(withLimits(c))
	for _, sentence := range Legend(c) {
		r.Remarks = append(r.Remarks, reports.Note{Text: sentence})
	}
	if hidden := v.hidden(c); hidden != "" {
		r.Remarks = append(r.Remarks, reports.Note{Text: hidden})
	}
	v.addLists(&r, c)
	for _, note := range c.Caveats {
		// What stands as a footnote already is not said twice.
		if n := (reports.Note{Text: note.Text, Detail: note.Detail}); !slices.Contains(r.Notes, n) {
			r.Remarks = append(r.Remarks, n)
		}
	}
	return r
}

// rowTables returns the tables of rows. A profile of single samples that was already
// compared as a whole gets none: its rows would say nothing new. What only one side has comes last.
func rowTables(c *compare.Comparison, tables []compare.Table, all bool, diffs []*profiles.Diff, notes *reports.Footnotes) []reports.Table {
	var out []reports.Table
	tables = slices.Clone(tables)
	slices.SortStableFunc(tables, func(a, b compare.Table) int { return lonely(&a) - lonely(&b) })
	for i := range tables {
		t := &tables[i]
		if ofCall(t) || slices.ContainsFunc(diffs, func(p *profiles.Diff) bool { return shownWhole(p, t) }) {
			continue
		}
		before := len(out) - 1
		switch equal, ok := allEqual(t); {
		case !ok && t.Kind == record.Scope:
			out = append(out, scopeTable(c, t, all, notes))
		case !ok:
			out = append(out, rowTable(c, t, notes))
		case before >= 0 && strings.HasSuffix(out[before].Caption, ": "+equal) && slices.Equal(out[before].Facts, tableFacts(t)):
			out[before].Caption = strings.TrimSuffix(out[before].Caption, ": "+equal) + ", " + t.Unit + ": " + equal
		default:
			out = append(out, reports.Table{Facts: tableFacts(t), Caption: t.Unit + ": " + equal})
		}
	}
	if len(diffs) > 0 && len(out) > 0 {
		out[0].Heading = "Every row, by unit"
	}
	return out
}

// lonely is 1 for a table in which no row has samples of both sides, 0 for any other.
func lonely(t *compare.Table) int {
	if slices.ContainsFunc(t.Rows, func(r *compare.Row) bool { return r.Base.N > 0 && r.Head.N > 0 }) {
		return 0
	}
	return 1
}

// allEqual describes a table of allocations in which all samples of both sides are the
// same, such as "all 63 equal (0)". Such a table needs no rows.
func allEqual(t *compare.Table) (string, bool) {
	if t.Unit != "B/op" && t.Unit != "allocs/op" || len(t.Rows) < 2 {
		return "", false
	}
	value := t.Rows[0].Base.Center
	for _, r := range t.Rows {
		b, h := r.Samples()
		noted := len(r.Base.Notes)+len(r.Head.Notes) > 0
		if !r.Compared() || noted || slices.ContainsFunc(append(b, h...), func(v float64) bool { return v != value }) {
			return "", false
		}
	}
	return fmt.Sprintf("all %d equal (%s)", len(t.Rows), reports.Unscaled(value, -1)), true
}

// rowTable is the table of one unit: that of a trial leads with what its pairs say, any
// other is benchstat's.
func rowTable(c *compare.Comparison, t *compare.Table, notes *reports.Footnotes) reports.Table {
	if t.Trial {
		return trialTable(c, t, notes)
	}
	out := reports.Table{Facts: tableFacts(t), Columns: []reports.Column{
		{Code: true},
		{Over: "base", Title: t.Unit, Unit: true, Right: true, Brief: "intervals"},
		{Over: "head", Title: t.Unit, Unit: true, Right: true, Brief: "intervals"},
	}}
	if t.Comparable {
		out.Columns = append(out.Columns, reports.Column{Title: "vs base", Right: true, Brief: "p"}, reports.Column{Title: "verdict", Wraps: true})
	}
	for _, r := range t.Rows {
		cells := append([]reports.Cell{{Text: r.Name}}, centerCells(r, notes)...)
		if t.Comparable {
			cells = append(cells, deltaCell(c, r, notes), verdictCell(r))
		} else {
			cells[2].Notes = append(cells[2].Notes, reports.FootnotesOf(r.Notes, notes)...)
		}
		out.Rows = append(out.Rows, cells)
	}
	if len(t.Rows) > 1 {
		out.Footer = geomeanRow(t, notes)
	}
	return out.WithoutEmpty(3)
}

// centerCells are the medians of both sides, each with its interval.
func centerCells(r *compare.Row, notes *reports.Footnotes) []reports.Cell {
	scale := rowScale(r)
	return []reports.Cell{reports.SummaryCell(r.Base, scale, notes), reports.SummaryCell(r.Head, scale, notes)}
}

// rowScale is the scale on which a row shows its values.
func rowScale(r *compare.Row) reports.Scale {
	var centers []float64
	for _, s := range []compare.Summary{r.Base, r.Head} {
		if s.N > 0 {
			centers = append(centers, s.Center)
		}
	}
	return reports.ScaleFor(r.Unit, centers...)
}

// deltaCell shows what benchstat does: the delta if p is small enough, with p and n.
func deltaCell(c *compare.Comparison, r *compare.Row, notes *reports.Footnotes) reports.Cell {
	if !r.Compared() {
		return reports.Cell{Notes: reports.FootnotesOf(r.Notes, notes)}
	}
	b := benchmath.Comparison{P: r.P, N1: r.Base.N, N2: r.Head.N, Alpha: c.Options.CompareAlpha}
	cell := reports.Cell{
		Text:  delta(b, r),
		Range: "(" + b.String() + ")",
		Notes: append(reports.FootnotesOf(r.Notes, notes), correlatedWith(r, notes)...),
	}
	if cell.Text == "~" {
		cell.Tone = reports.Muted
	} else if r.Verdict == compare.Regressed || r.Verdict == compare.Improved {
		cell.Tone = verdictTone(r.Verdict)
	}
	return cell
}

// delta formats a relative change as benchstat does, but shows one of absurd size as a
// bound.
func delta(b benchmath.Comparison, r *compare.Row) string {
	text := b.FormatDelta(r.Base.Center, r.Head.Center)
	if bound, ok := reports.Bound(r.Head.Center/r.Base.Center - 1); ok && strings.HasSuffix(text, "%") {
		return bound
	}
	return text
}

// correlatedWith is the footnote of a row that shows the same change as another, because one
// contains the other.
func correlatedWith(r *compare.Row, notes *reports.Footnotes) []int {
	if r.CorrelatedWith == nil {
		return nil
	}
	return []int{notes.Add(reports.Note{Text: "correlated with", Detail: r.CorrelatedWith.Name})}
}

func verdictCell(r *compare.Row) reports.Cell {
	cell := reports.Cell{Text: string(r.Verdict), Tone: verdictTone(r.Verdict)}
	if r.Reason != "" {
		cell.Range = "(" + r.Reason + ")"
	}
	return cell
}

func verdictTone(v compare.Verdict) reports.Tone {
	switch v {
	case compare.Regressed:
		return reports.Bad
	case compare.Improved:
		return reports.Good
	case compare.Changed, compare.Suspect, compare.NotChecked, compare.NotComparable:
		return reports.Warn
	}
	return reports.Muted
}

func geomeanRow(t *compare.Table, notes *reports.Footnotes) []reports.Cell {
	cells := append([]reports.Cell{{Text: "geomean"}}, geomeanCells(t)...)
	if t.Comparable {
		cell := reports.Cell{Text: "?"}
		if ratio := t.Geomean.Ratio; !math.IsNaN(ratio) {
			cell.Text = reports.Percent(ratio - 1)
		}
		cells = append(cells, cell)
	}
	last := &cells[len(cells)-1]
	last.Notes = reports.FootnotesOf(t.Geomean.Notes, notes)
	return cells
}

// geomeanCells are the geometric means of both sides.
func geomeanCells(t *compare.Table) []reports.Cell {
	cells := make([]reports.Cell, 2)
	for i, mean := range []float64{t.Geomean.Base, t.Geomean.Head} {
		if !math.IsNaN(mean) {
			cells[i].Text = reports.ScaleFor(t.Unit, mean).Format(mean)
		}
	}
	return cells
}

// newShown is how many benchmarks that are new are named, unless all rows are asked for: nothing can
// be decided about them, and the verdict should not scroll away for them.
const newShown = 10

func (v View) addLists(r *reports.Report, c *compare.Comparison) {
	for _, l := range Unjudged(c) {
		if more := len(l.Items) - newShown; l.Why == New && more > 1 && !v.All {
			l.N = len(l.Items)
			l.Items = append(slices.Clip(l.Items[:newShown]), reports.Note{Text: fmt.Sprintf("and %d more: perftrack compare --all", more)})
		}
		r.Lists = append(r.Lists, reports.List{Title: l.Title, Items: l.Items, N: l.N})
	}
}
