package comparison

import (
	"slices"
	"strings"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/profiles"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/reports/comparison/rowcells"
	"github.com/perftrack/perftrack/runner/record"
)

// rowTables returns the tables of rows. Tables in which no row has samples on both sides come last.
// The rows of profiles with single samples are left out, because the comparison of the profiles as
// a whole already shows them.
func rowTables(c *compare.Comparison, tables []compare.Table, all bool, diffs []*profiles.Diff, notes *reports.Footnotes) []reports.Table {
	var out []reports.Table
	tables = slices.Clone(tables)
	slices.SortStableFunc(tables, func(a, b compare.Table) int { return lonely(&a) - lonely(&b) })
	alike, units := "", []string(nil) // caption of the previous table if all its allocations are equal, and the units sharing it
	for i := range tables {
		t := &tables[i]
		if ofCall(t) || slices.ContainsFunc(diffs, func(p *profiles.Diff) bool { return shownWhole(p, t) }) {
			continue
		}
		equal, ok := allEqual(t)
		switch {
		case !ok && t.Kind == record.Scope:
			out = append(out, scopeTable(c, t, all, notes))
		case !ok:
			out = append(out, rowTable(c, t, notes))
		case equal == alike && slices.Equal(out[len(out)-1].Facts, rowcells.TableFacts(t)):
			units = append(units, t.Unit)
			out[len(out)-1].Caption = strings.Join(units, ", ") + ": " + equal
		default:
			units = []string{t.Unit}
			out = append(out, reports.Table{Facts: rowcells.TableFacts(t), Caption: t.Unit + ": " + equal})
		}
		alike = equal
	}
	if len(diffs) > 0 && len(out) > 0 {
		out[0].Heading = "Every row, by unit"
	}
	return out
}

// rowTable returns the table for one unit. For a trial, it shows estimates from pairs; otherwise it
// looks like benchstat's table.
func rowTable(c *compare.Comparison, t *compare.Table, notes *reports.Footnotes) reports.Table {
	if t.Trial {
		return trialTable(c, t, notes)
	}
	out := reports.Table{Facts: rowcells.TableFacts(t), Columns: []reports.Column{
		{Code: true},
		{Over: "base", Title: t.Unit, Unit: true, Right: true, Brief: "intervals"},
		{Over: "head", Title: t.Unit, Unit: true, Right: true, Brief: "intervals"},
	}}
	if t.Comparable {
		out.Columns = append(out.Columns, reports.Column{Title: "vs base", Right: true, Brief: "p"}, reports.Column{Title: "verdict", Wraps: true})
	}
	out.Rows = make([][]reports.Cell, 0, len(t.Rows))
	for _, r := range t.Rows {
		cells := append(make([]reports.Cell, 0, len(out.Columns)), reports.Cell{Text: r.Name})
		cells = append(cells, rowcells.Centers(r, notes)...)
		if t.Comparable {
			cells = append(cells, rowcells.Delta(c, r, notes), rowcells.Verdict(r))
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

// trialTable returns the table for one unit of a trial. A row begins with the estimate from its
// pairs, the basis of the estimate, and the verdict. The medians of both sides and the p-values
// follow; the medians and benchstat's p-value ignore the pairing.
func trialTable(c *compare.Comparison, t *compare.Table, notes *reports.Footnotes) reports.Table {
	out := reports.Table{Facts: rowcells.TableFacts(t), Columns: []reports.Column{
		{Code: true},
		{Title: "change", Right: true},
		{Title: "measured in", Extra: true},
		{Title: "verdict", Wraps: true},
		{Over: "base, median", Title: t.Unit, Unit: true, Right: true},
		{Over: "head, median", Title: t.Unit, Unit: true, Right: true},
		{Title: "adj. p", Right: true, Extra: true},
		{Title: "unpaired p", Right: true, Extra: true},
	}}
	for _, r := range t.Rows {
		change := rowcells.Estimate(r)
		if r.Verdict == compare.Regressed || r.Verdict == compare.Improved {
			change.Tone = rowcells.VerdictTone(r.Verdict)
		}
		change.Notes = append(reports.FootnotesOf(r.Notes, notes), rowcells.CorrelatedWith(r, notes)...)
		cells := []reports.Cell{{Text: r.Name}, change, {Text: rowcells.MeasuredIn(r), Notes: rowcells.MethodNotes(r, notes)}, rowcells.Verdict(r)}
		cells = append(cells, rowcells.Centers(r, notes)...)
		out.Rows = append(out.Rows, append(cells, reports.Cell{Text: rowcells.AdjustedP(r)}, reports.Cell{Text: rowcells.UnpairedP(c, r)}))
	}
	if of, all := checkedRows(t); len(t.Rows) > 1 && (all || len(of) > 0) {
		out.Footer = meanCells(t, notes)
	}
	return out.WithoutEmpty(1)
}

// shownWhole reports whether the comparison of two profiles as a whole already shows all rows of a
// table.
func shownWhole(p *profiles.Diff, t *compare.Table) bool {
	of := p.Table
	return p.Single && t.Kind == record.Scope && t.Pairing == of.Pairing && t.Kind == of.Kind && t.Package == of.Package && t.Suite == of.Suite
}
