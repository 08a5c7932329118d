package comparison

import (
	"fmt"
	"math"
	"strings"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/reports/comparison/rowcells"
)

// checkedRows returns the rows on both sides with enough rounds for a verdict. all is true if no
// row had too few rounds.
func checkedRows(t *compare.Table) (rows []*compare.Row, all bool) {
	all = true
	for _, r := range t.Rows {
		switch {
		case r.Verdict == compare.NotChecked:
			all = false
		case r.Compared():
			rows = append(rows, r)
		}
	}
	return rows, all
}

// unknownMean reports whether the mean of only the checked rows would hide changes. This is the
// case for counts of allocations, because equal counts need fewer rounds than different ones and
// are checked first. all is the second result of checkedRows.
func unknownMean(t *compare.Table, all bool) bool { return !all && rowcells.Allocates(t.Unit) }

func undecidedRows(t *compare.Table) (n int) {
	for _, r := range t.Rows {
		if r.Verdict == compare.Inconclusive {
			n++
		}
	}
	return n
}

// geomeanCells returns the cells with the geometric means of both sides.
func geomeanCells(t *compare.Table) []reports.Cell {
	cells := make([]reports.Cell, 2)
	for i, mean := range []float64{t.Geomean.Base, t.Geomean.Head} {
		if !math.IsNaN(mean) {
			cells[i].Text = reports.ScaleFor(t.Unit, mean).Format(mean)
		}
	}
	return cells
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

// meanCells returns the row with the geometric means. If some rows were not checked, meanCells
// includes only the mean change of the checked rows, because the geometric means of all rows would
// seem to contradict it.
func meanCells(t *compare.Table, notes *reports.Footnotes) []reports.Cell {
	change := reports.Cell{Text: "?", Notes: reports.FootnotesOf(t.Geomean.Notes, notes)}
	mean, name, centers := t.Geomean.Change, "geomean", geomeanCells(t)
	if of, all := checkedRows(t); !all {
		mean, name, centers = compare.MeanChange(of), fmt.Sprintf("geomean of %d checked", len(of)), nil
		if unknownMean(t, all) {
			mean, name = math.NaN(), "geomean"
		}
	}
	if !math.IsNaN(mean) {
		change.Text = reports.PlainChange(mean)
	}
	return append([]reports.Cell{{Text: name}, change, {}, {}}, centers...)
}

// geomeans returns a line with the geometric means of the changes in one package. It returns nil
// for several packages, because a common mean would weight each package by its number of
// benchmarks.
func (s *screen) geomeans(group []compare.Table) (lines []string) {
	if len(packagesOf(group).list) > 1 {
		return nil
	}
	var parts []string
	for i := range group {
		t := &group[i]
		mean := t.Geomean
		of, all := checkedRows(t)
		if !all {
			mean.Change = compare.MeanChange(of)
		}
		if follows(t) || len(t.Rows) < 2 || !all && len(of) < 2 || math.IsNaN(mean.Change) || t.Package != group[0].Package || t.Suite != group[0].Suite || alikeTable(t) {
			continue
		}
		text := t.Unit + " " + reports.PlainChange(mean.Change)
		if unknownMean(t, all) {
			text = fmt.Sprintf("%s unknown (%d of %d not checked)", t.Unit, len(t.Rows)-len(of), len(t.Rows))
		} else if !all {
			text += fmt.Sprintf(" (for the %d checked rows)", len(of))
		} else if open := undecidedRows(t); open > 0 {
			text += fmt.Sprintf(" (%d of %d undecided)", open, len(t.Rows))
		}
		for _, n := range reports.FootnotesOf(t.Geomean.Notes, s.notes) {
			text += " " + reports.Mark(n)
		}
		parts = append(parts, text)
	}
	if len(parts) == 0 {
		return nil
	}
	return []string{"geomean: " + strings.Join(parts, ", ")}
}
