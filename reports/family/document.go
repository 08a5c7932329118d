package family

import (
	"math"

	"github.com/perftrack/perftrack/reports"
)

// documented adds the functions that write JSON and CSV to a report, unless the report already has
// them, as a comparison does.
func documented(name string, r reports.Report) reports.Report {
	if r.Document != nil {
		return r
	}
	r.Kind = "report"
	shown := r
	r.Document = func() reports.Object { return document(name, shown) }
	r.Records = func() [][]any { return records(name, shown) }
	return r
}

// document returns a report as JSON fields. Numbers have no unit prefix and
// are in the unit of their column or row.
func document(name string, r reports.Report) reports.Object {
	return reports.Object{
		{"report", name},
		{"title", r.Title},
		{"summary", r.Summary},
		{"facts", factPairs(r.Facts)},
		{"sections", reports.Objects(&r.Tables, sectionFields)},
		{"notes", reports.Objects(&r.Notes, noteFields)},
		{"remarks", reports.Objects(&r.Remarks, noteFields)},
	}
}

func factPairs(facts []reports.Fact) [][2]string {
	out := [][2]string{}
	for _, f := range facts {
		out = append(out, [2]string{f.Key, f.Value})
	}
	return out
}

func sectionFields(t *reports.Table) reports.Object {
	columns, rows := []string{}, [][]any{}
	for _, c := range t.Columns {
		columns = append(columns, c.Title)
	}
	for _, row := range t.Rows {
		cells := []any{}
		for _, c := range row {
			o := reports.Object{{"text", c.Shown()}, {"notes", reports.Optional(c.Notes)}}
			if x, ok := c.Value.(float64); !ok || !math.IsNaN(x) {
				o = append(o, [2]any{"value", reports.Optional(c.Value)})
			}
			cells = append(cells, o)
		}
		rows = append(rows, cells)
	}
	return reports.Object{
		{"heading", t.Heading},
		{"facts", factPairs(t.Facts)},
		{"words", append([]string{}, t.Words...)},
		{"caption", reports.Optional(t.Caption)},
		{"columns", columns},
		{"rows", rows},
	}
}

func noteFields(n *reports.Note) reports.Object {
	return reports.Object{{"text", n.Text}, {"detail", reports.Optional(n.Detail)}}
}

// records returns the column names followed by one CSV line for each non-empty cell.
func records(name string, r reports.Report) [][]any {
	out := [][]any{reports.ColumnNames("report section row column text value")}
	for _, t := range r.Tables {
		for i, row := range t.Rows {
			for k, c := range row {
				if c.Shown() != "" {
					out = append(out, []any{name, t.Heading, i + 1, t.Columns[k].Title, c.Shown(), c.Value})
				}
			}
		}
	}
	return out
}
