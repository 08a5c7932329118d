package main

import (
	"fmt"
	"slices"

	"github.com/perftrack/perftrack/reports"
)

// A listing collects the rows of a plain table.
type listing struct {
	title string
	table reports.Table
}

// newListing returns a listing with the given columns. A title that begins
// with # is a column of numbers; cells of the others come from outside.
func newListing(title string, columns ...string) *listing {
	l := &listing{title: title}
	for _, c := range columns {
		number := c[0] == '#'
		if number {
			c = c[1:]
		}
		l.table.Columns = append(l.table.Columns, reports.Column{Title: c, Right: number, Code: !number})
	}
	return l
}

// extra says which columns may be left out where space is short, the first of them first.
func (l *listing) extra(titles ...string) {
	for i, title := range titles {
		c := l.column(title)
		c.Extra, c.Rank = true, len(titles)-i
	}
}

// wraps says which columns are words, which go on in further lines where space is short.
func (l *listing) wraps(titles ...string) {
	for _, title := range titles {
		l.column(title).Wraps = true
	}
}

func (l *listing) column(title string) *reports.Column {
	i := slices.IndexFunc(l.table.Columns, func(c reports.Column) bool { return c.Title == title })
	return &l.table.Columns[i]
}

// A brief is a cell that people see shortened; programs get the whole value.
type brief struct {
	text  string
	value any
}

func (l *listing) add(cells ...any) {
	row := make([]reports.Cell, len(cells))
	for i, c := range cells {
		row[i] = reports.Cell{Text: fmt.Sprint(c), Value: c}
		if b, ok := c.(brief); ok {
			row[i] = reports.Cell{Text: b.text, Value: b.value}
		}
	}
	l.table.Rows = append(l.table.Rows, row)
}

func (l *listing) report() reports.Report { return reports.Listing(l.title, l.table) }
