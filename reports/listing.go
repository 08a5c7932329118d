package reports

import (
	"fmt"
)

func tableRecords(t Table) [][]any {
	var out [][]any
	var head []any
	for _, c := range t.Columns {
		head = append(head, c.Title)
	}
	out = append(out, head)
	for _, row := range t.Rows {
		line := make([]any, len(t.Columns))
		for i := range line {
			if i < len(row) {
				line[i] = fmt.Sprint(row[i].value())
			}
		}
		out = append(out, line)
	}
	return out
}

// tableDocument describes the document of kind "table", written by commands that list things.
func tableDocument(title string, t Table) Object {
	columns, rows := []string{}, []map[string]any{}
	for _, c := range t.Columns {
		columns = append(columns, c.Title)
	}
	for _, row := range t.Rows {
		m := map[string]any{}
		for i, c := range t.Columns {
			if i < len(row) {
				m[c.Title] = row[i].value()
			}
		}
		rows = append(rows, m)
	}
	return Object{
		{"title", title},
		{"columns", columns},
		{"rows", rows},          // each row maps column titles to cells
		{"explanations", Unset}, // explains the commit found by a bisection, as an explanation document does
	}
}

// Listing returns a report of one table, for commands that list things. Its JSON and CSV have the
// values of the cells under the titles of the columns. A cell without a value is represented by its
// text.
func Listing(title string, t Table) Report {
	return Report{
		Title: title, Tables: []Table{t},
		Kind:     "table",
		Document: func() Object { return tableDocument(title, t) },
		Records:  func() [][]any { return tableRecords(t) },
	}
}
