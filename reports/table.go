package reports

import (
	"slices"
	"strings"
)

// A Table has rows below column titles, and facts about all rows. A table without columns has only
// text.
type Table struct {
	Heading string // in perftrack's own words; may be ""
	Facts   []Fact
	Words   []string // sentences in perftrack's own words above the table
	Caption string   // always shown, in perftrack's own words, such as a sparkline
	Curve   *Curve   // drawn instead of the caption, as wide as the terminal
	Columns []Column
	Rows    [][]Cell
	Footer  []Cell   // the geomean row, or nil if there is none
	Below   []string // sentences in perftrack's own words below the table, about folded rows
}

// onlyFacts reports whether the table has nothing but facts.
func (t Table) onlyFacts() bool {
	return len(t.Columns)+len(t.Words)+len(t.Below) == 0 && t.Caption == "" && t.Curve == nil
}

// A Column is a heading with the style of the cells below it.
type Column struct {
	Over  string // a second heading above Title, such as "base" or "head"; may be ""
	Title string
	Unit  bool   // Title is a unit (external text)
	Right bool   // the cells are numbers, whose parts are aligned to the right
	Code  bool   // the cells are external text
	Whole bool   // with Code: the cells are commands to copy and are never cut
	File  bool   // the cells are names of files next to the report, see [FileName]
	Hash  bool   // the cells are short commit hashes, which a terminal describes
	Blame bool   // with Hash: the description includes the author
	Bar   bool   // the cells are bars made of characters
	Extra bool   // left out if there is not enough space
	Rank  int    // the Extra column with the highest rank is left out first, and among equal ranks the last one; for Brief, among equal ranks the first one
	Wraps bool   // the cells are sentences, broken into lines if there is not enough space
	lines int    // the width for breaking sentences; 0 means no breaks
	Brief string // the name of the column's ranges, which are left out after all Extra columns; "" keeps them
}

// A Cell is one value shown in a table.
type Cell struct {
	Text  string // "1.718µ"
	Range string // follows the text: "± 1%", "(p=0.000 n=10)", "[+1.00%, +3.00%]"
	Notes []int  // numbers of footnotes, from 1
	Tone  Tone
	Value any // for the JSON and CSV of a Listing, such as a whole id or a number; nil means the text
}

// Shown returns the text and the range of the cell as one string.
func (c Cell) Shown() string { return strings.TrimSpace(c.Text + " " + c.Range) }

// value returns the value to write to JSON and CSV.
func (c Cell) value() any {
	if c.Value != nil {
		return c.Value
	}
	return c.Shown()
}

// A Tone is the meaning of a cell, for writers that use colors. The text never depends on it.
type Tone int

// The tones of cells and summaries.
const (
	Plain Tone = iota
	Good
	Bad
	Warn
	Muted
)

// AddColumn appends another column of cells, one for each row.
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

// WithoutEmpty returns a copy of the table without the empty columns at index from or later.
func (t Table) WithoutEmpty(from int) Table {
	for i := len(t.Columns) - 1; i >= from; i-- {
		if t.Empty(i) {
			t = t.Without(i)
		}
	}
	return t
}
