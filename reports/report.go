// Package reports turns results into what people and programs read.
//
// It is the end of the flow engine -> runner -> store -> compare -> reports.
// Each kind of result has a constructor, [Comparison], [Run], [History] and
// [Listing], which brings it into the one view model, [Report]: all choices of
// what is shown, in which order and with how many digits are made there. Each
// format has a writer that only lays out what the Report holds: [Text],
// [Markdown], [CSV] and [JSON]. The last two write raw numbers, see json.go for
// their contract.
//
// Names, labels, units and environments come from outside. The model keeps
// them as they are and marks them; each writer makes them harmless for its own
// format.
package reports

import "slices"

// A Report is one result, ready to be laid out.
type Report struct {
	Title  string
	Facts  []Fact // what the whole report is about: sides, run, settings
	Tables []Table
	// Summary is the result in one line: "1 regressed, 12 unchanged".
	Summary string
	Tone    Tone   // of Summary
	Notes   []Note // footnotes of cells; the first is number 1
	Remarks []Note // what the reader must know of the whole
	Lists   []List

	kind     string         // of the JSON document
	document func() Object  // for JSON
	records  func() [][]any // for CSV, the names of the columns first
}

// A Fact is one `key: value` line. The value may come from outside.
type Fact struct{ Key, Value string }

// A Note is a sentence of perftrack's own, and what it is about: a command, or
// words from outside.
type Note struct{ Text, Detail string }

func (n Note) String() string {
	if n.Detail == "" {
		return n.Text
	}
	return n.Text + ": " + n.Detail
}

// A List names what has no row: missing benchmarks, failures.
type List struct {
	Title string
	Items []Note // Detail is the name, Text a word on it or ""
}

// A Table is rows under columns. Facts hold for all of its rows. Without
// columns it is no more than what stands above them.
type Table struct {
	Heading string // of perftrack's own words: what this table is among others; or ""
	Facts   []Fact
	Words   []string // sentences of perftrack's own above the table
	Caption string   // always shown, of perftrack's own words: a sparkline
	Columns []Column
	Rows    [][]Cell
	Footer  []Cell // the geomean row, or nil
}

// empty reports whether no cell of column i says anything.
func (t Table) empty(i int) bool {
	for _, row := range append(t.Rows[:len(t.Rows):len(t.Rows)], t.Footer) {
		if i < len(row) && (row[i].Text != "" || row[i].Range != "" || len(row[i].Notes) > 0) {
			return false
		}
	}
	return true
}

// without returns a copy of the table that lacks column i.
func (t Table) without(i int) Table {
	cut := func(cells []Cell) []Cell {
		if i >= len(cells) {
			return cells
		}
		return slices.Delete(slices.Clone(cells), i, i+1)
	}
	out := Table{Heading: t.Heading, Facts: t.Facts, Words: t.Words, Caption: t.Caption}
	out.Columns = slices.Delete(slices.Clone(t.Columns), i, i+1)
	for _, row := range t.Rows {
		out.Rows = append(out.Rows, cut(row))
	}
	if t.Footer != nil {
		out.Footer = cut(t.Footer)
	}
	return out
}

// A Column is a heading and how its cells are set.
type Column struct {
	Over  string // a second heading above, "base", "head"; or ""
	Title string
	Unit  bool // Title is a unit, which comes from outside
	Right bool // a number: aligned right, at its parts
	Code  bool // the cells come from outside
	Extra bool // may be left out where space is short; the last one goes first
}

// A Cell is one value as it is shown.
type Cell struct {
	Text  string // "1.718µ"
	Range string // what follows it: "± 1%", "(p=0.000 n=10)", "[+1.00%, +3.00%]"
	Notes []int  // footnotes, from 1
	Tone  Tone
	Value any // of a Listing, for JSON and CSV: the whole id, the number; nil is the text
}

// A Tone says how a cell is meant, for writers that have colours. It never
// says anything that the text does not.
type Tone int

// The tones.
const (
	Plain Tone = iota
	Good
	Bad
	Warn
	Muted
)

// A footnotes collects the notes of a report, each once.
type footnotes struct {
	list  []Note
	index map[Note]int
}

// add returns the number of the note.
func (f *footnotes) add(n Note) int {
	if i, ok := f.index[n]; ok {
		return i
	}
	if f.index == nil {
		f.index = map[Note]int{}
	}
	f.list = append(f.list, n)
	f.index[n] = len(f.list)
	return len(f.list)
}

// Listing is a report of one table, for the commands that list what there is.
// Its JSON and CSV have the cells' values, or else the cells as they are shown,
// under the titles of the columns.
func Listing(title string, t Table) Report {
	return Report{
		Title: title, Tables: []Table{t},
		kind:     "table",
		document: func() Object { return tableDocument(title, t) },
		records:  func() [][]any { return tableRecords(t) },
	}
}
