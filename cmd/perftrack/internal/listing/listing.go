// Package listing builds plain tables for people and programs, including tables of stored results.
package listing

import (
	"fmt"
	"slices"

	"github.com/perftrack/perftrack/reports"
)

// A Listing collects the rows of a plain table.
type Listing struct {
	title string
	table reports.Table
}

// New returns a listing with the given columns. A leading # marks a column of numbers; all other
// columns may contain text from untrusted sources.
func New(title string, columns ...string) *Listing {
	l := &Listing{title: title}
	for _, c := range columns {
		number := c[0] == '#'
		if number {
			c = c[1:]
		}
		l.table.Columns = append(l.table.Columns, reports.Column{Title: c, Right: number, Code: !number})
	}
	return l
}

// Extra marks columns to leave out if there is not enough space, beginning with the first one
// given.
func (l *Listing) Extra(titles ...string) {
	for i, title := range titles {
		c := l.column(title)
		c.Extra, c.Rank = true, len(titles)-i
	}
}

// Wraps marks columns to wrap onto more lines.
func (l *Listing) Wraps(titles ...string) {
	for _, title := range titles {
		l.column(title).Wraps = true
	}
}

// Prose marks columns of perftrack's own words, which are no code.
func (l *Listing) Prose(titles ...string) {
	for _, title := range titles {
		l.column(title).Code = false
	}
}

func (l *Listing) column(title string) *reports.Column {
	i := slices.IndexFunc(l.table.Columns, func(c reports.Column) bool { return c.Title == title })
	return &l.table.Columns[i]
}

// A Cell has a short text for people and a complete value for programs.
type Cell struct {
	text  string
	value any
}

// Brief returns a cell with text for people and value for programs.
func Brief(text string, value any) Cell { return Cell{text, value} }

// Add adds a row of Cells or plain values.
func (l *Listing) Add(cells ...any) {
	row := make([]reports.Cell, len(cells))
	for i, c := range cells {
		row[i] = reports.Cell{Text: fmt.Sprint(c), Value: c}
		if b, ok := c.(Cell); ok {
			row[i] = reports.Cell{Text: b.text, Value: b.value}
		}
	}
	l.table.Rows = append(l.table.Rows, row)
}

// Report returns the table as a report.
func (l *Listing) Report() reports.Report { return reports.Listing(l.title, l.table) }
