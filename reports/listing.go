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

// tableDocument describes the document of kind "table": the listing of a `list` command.
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
		{"rows", rows},          // of each, what the cells show by the title of their column
		{"explanations", Unset}, // of what the culprit of a bisection changed, as in an explanation
	}
}

// Listing is a report of one table, for the commands that list what there is.
// Its JSON and CSV have the cells' values, or else the cells as they are shown,
// under the titles of the columns.
func Listing(title string, t Table) Report {
	return Report{
		Title: title, Tables: []Table{t},
		Kind:     "table",
		Document: func() Object { return tableDocument(title, t) },
		Records:  func() [][]any { return tableRecords(t) },
	}
}
