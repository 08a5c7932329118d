package reports

import (
	"slices"
	"strings"
)

// A Table is rows under columns, and facts that hold for all of its rows. A table without
// columns is only what stands above them.
type Table struct {
	Heading string // of perftrack's own words: what this table is among others; or ""
	Facts   []Fact
	Words   []string // sentences of perftrack's own above the table
	Caption string   // always shown, of perftrack's own words: a sparkline
	Curve   *Curve   // drawn in place of the caption where that is as wide as a terminal
	Columns []Column
	Rows    [][]Cell
	Footer  []Cell   // the geomean row, or nil
	Below   []string // sentences of perftrack's own below the table: what is folded
}

// onlyFacts reports whether facts are all that a table says, so that it says nothing without them.
func (t Table) onlyFacts() bool {
	return len(t.Columns)+len(t.Words)+len(t.Below) == 0 && t.Caption == "" && t.Curve == nil
}

// A Column is a heading, and how the cells below it are set.
type Column struct {
	Over  string // a second heading above, "base", "head"; or ""
	Title string
	Unit  bool   // Title is a unit, which comes from outside
	Right bool   // a number: aligned right, at its parts
	Code  bool   // the cells come from outside
	Whole bool   // with Code: the cells are never cut, as they are to be copied: commands
	File  bool   // the cells are names of files beside the report: see [FileName]
	Bar   bool   // the cells are bars, drawn by characters
	Extra bool   // may be left out where space is short
	Rank  int    // of those that are Extra, the highest goes first, and of equal ones the last; so it is with Brief, of equal ones the first
	Wraps bool   // the cells are words, which go on in further lines where space is short
	Brief string // what its ranges are, which are left out when no column is left that may be; "" keeps them
}

// A Cell is one value as it is shown.
type Cell struct {
	Text  string // "1.718µ"
	Range string // what follows it: "± 1%", "(p=0.000 n=10)", "[+1.00%, +3.00%]"
	Notes []int  // footnotes, from 1
	Tone  Tone
	Value any // of a Listing, for JSON and CSV: the whole id, the number; nil is the text
}

// Shown returns the cell as one text.
func (c Cell) Shown() string { return strings.TrimSpace(c.Text + " " + c.Range) }

// value returns what the cell stands for in JSON and CSV.
func (c Cell) value() any {
	if c.Value != nil {
		return c.Value
	}
	return c.Shown()
}

// A Tone says how a cell is meant, for writers that have colours. It never says more than
// the text does.
type Tone int

// The tones.
const (
	Plain Tone = iota
	Good
	Bad
	Warn
	Muted
)

// AddColumn adds the cells of another column, one for each row.
func (t *Table) AddColumn(cells []Cell) {
	if t.Rows == nil {
		t.Rows = make([][]Cell, len(cells))
	}
	for i, c := range cells {
		t.Rows[i] = append(t.Rows[i], c)
	}
}

// Empty reports whether all cells of column i are empty.
func (t Table) Empty(i int) bool {
	for _, row := range append(t.Rows[:len(t.Rows):len(t.Rows)], t.Footer) {
		if i < len(row) && (row[i].Text != "" || row[i].Range != "" || len(row[i].Notes) > 0) {
			return false
		}
	}
	return true
}

// Without returns a copy of the table without column i.
func (t Table) Without(i int) Table {
	cut := func(cells []Cell) []Cell {
		if i >= len(cells) {
			return cells
		}
		return slices.Delete(slices.Clone(cells), i, i+1)
	}
	out := Table{Heading: t.Heading, Facts: t.Facts, Words: t.Words, Caption: t.Caption, Curve: t.Curve, Below: t.Below}
	out.Columns = slices.Delete(slices.Clone(t.Columns), i, i+1)
	for _, row := range t.Rows {
		out.Rows = append(out.Rows, cut(row))
	}
	if t.Footer != nil {
		out.Footer = cut(t.Footer)
	}
	return out
}

// WithoutEmpty returns a copy of the table without the empty columns from column `from`
// on.
func (t Table) WithoutEmpty(from int) Table {
	for i := len(t.Columns) - 1; i >= from; i-- {
		if t.Empty(i) {
			t = t.Without(i)
		}
	}
	return t
}
