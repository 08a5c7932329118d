package comparison

import (
	"slices"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/reports/comparison/rowcells"
	"github.com/perftrack/perftrack/runner/record"
)

// A column identifies the rows for one benchmark and unit across several comparisons with the same
// base.
type column struct {
	target string
	record.BenchmarkID
	unit string
}

// Columns reports several comparisons with the same base side by side, as benchstat does: each head
// has a column of medians, followed by a column with its difference from the base.
func (v View) Columns(all ...*compare.Comparison) reports.Report {
	r := reports.Report{Title: "Comparison", Facts: []reports.Fact{v.side("base", all[0].Base)}, Verdict: true}
	notes := &reports.Footnotes{}
	for i, c := range all {
		r.Facts = append(r.Facts, v.side(labelOf(c, i), c.Head))
	}
	for _, first := range v.columnTables(all) {
		r.Tables = append(r.Tables, v.columnTable(all, first, notes))
	}
	r.Notes = notes.Notes
	for i, c := range all {
		line, tone := census(c)
		if i > 0 {
			r.Summary += "; "
		}
		r.Summary += labelOf(c, i) + ": " + line
		if tone == reports.Bad || i == 0 {
			r.Tone = tone
		}
		for _, caveat := range c.Caveats {
			if n := (reports.Note{Text: caveat.Text, Detail: caveat.Detail}); !slices.Contains(r.Remarks, n) {
				r.Remarks = append(r.Remarks, n)
			}
		}
	}
	r.Remarks = append(r.Remarks, reports.Note{Text: "each side is compared only with the base, at the full alpha"})
	if hidden := v.hidden(all[0]); hidden != "" {
		r.Remarks = append(r.Remarks, reports.Note{Text: hidden})
	}
	return r
}

// labelOf returns the user's name for the head of the i-th comparison, or a default such as "side
// B".
func labelOf(c *compare.Comparison, i int) string {
	switch sha := c.Head.Commit(); {
	case sha != "" && c.Head.Label == sha:
		return record.ShortHash(sha)
	case c.Head.Label != "":
		return c.Head.Label
	}
	return "side " + string(rune('B'+i))
}

// columnTables returns the tables of all comparisons, with tables for the same benchmarks,
// environment and unit merged into one.
func (v View) columnTables(all []*compare.Comparison) (out []compare.Table) {
	for _, c := range all {
		for _, t := range v.tables(c) {
			if ofCall(&t) {
				continue
			}
			at := slices.IndexFunc(out, func(o compare.Table) bool { return sameTable(&o, &t) })
			if at < 0 {
				out = append(out, t)
				continue
			}
			rows := slices.Clone(out[at].Rows)
			for _, r := range t.Rows {
				if !slices.ContainsFunc(rows, func(o *compare.Row) bool { return columnOf(o) == columnOf(r) }) {
					rows = append(rows, r)
				}
			}
			out[at].Rows = rows
		}
	}
	return out
}

// sameTable reports whether two tables have the same package, suite and unit, and the same
// environment on the base side.
func sameTable(a, b *compare.Table) bool {
	return a.Target == b.Target && a.Kind == b.Kind && a.Package == b.Package && a.Suite == b.Suite && a.Unit == b.Unit &&
		slices.Equal(reports.EnvironmentFacts(a.Env[0], nil), reports.EnvironmentFacts(b.Env[0], nil))
}

func columnOf(r *compare.Row) column { return column{r.Target, r.BenchmarkID, r.Unit} }

// columnTable returns the table for one unit in one package, with columns for all comparisons.
func (v View) columnTable(all []*compare.Comparison, of compare.Table, notes *reports.Footnotes) reports.Table {
	of.Different = nil
	t := reports.Table{Facts: rowcells.TableFacts(&of), Columns: []reports.Column{{Code: true}, {Over: "base", Title: of.Unit, Unit: true, Right: true, Brief: "intervals"}}}
	for i, c := range all {
		t.Columns = append(t.Columns, reports.Column{Over: labelOf(c, i), Title: of.Unit, Unit: true, Right: true, Brief: "intervals"}, reports.Column{Title: "vs base", Brief: "p"})
	}
	for _, r := range of.Rows {
		cells := []reports.Cell{{Text: r.Name}, {}}
		for _, c := range all {
			head, change := reports.Cell{}, reports.Cell{}
			if one := find(c, &of, r); one != nil {
				medians := rowcells.Centers(one, notes)
				if cells[1].Text == "" {
					cells[1] = medians[0]
				}
				head, change = medians[1], v.against(c, one, notes)
			}
			cells = append(cells, head, change)
		}
		t.Rows = append(t.Rows, cells)
	}
	return t.WithoutEmpty(1)
}

// against returns a cell with the difference between a side and the base: the paired change and its
// verdict or, without pairs, benchstat's delta.
func (v View) against(c *compare.Comparison, r *compare.Row, notes *reports.Footnotes) reports.Cell {
	if r.Verdict != compare.NoVerdict && r.Verdict != compare.Suspect {
		cell := rowcells.Change(r)
		cell.Text, cell.Range = cell.Text+" "+string(r.Verdict), ""
		if r.ByMean {
			cell.Text += " (mean)"
		}
		if r.Accepted() {
			cell.Text += " (accepted)"
		}
		return cell
	}
	cell := rowcells.Delta(c, r, notes)
	if r.Verdict == compare.Suspect {
		cell.Text += " suspect"
		cell.Tone = rowcells.VerdictTone(r.Verdict)
	}
	return cell
}

// find returns c's row for the same benchmark and unit as r, or nil. It searches only tables for
// which sameTable returns true.
func find(c *compare.Comparison, of *compare.Table, r *compare.Row) *compare.Row {
	for i := range c.Tables {
		if !sameTable(&c.Tables[i], of) {
			continue
		}
		for _, one := range c.Tables[i].Rows {
			if columnOf(one) == columnOf(r) {
				return one
			}
		}
	}
	return nil
}
