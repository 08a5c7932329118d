package reports_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/reports"
)

// If the column with the mark of a footnote is left out, the mark moves to the name.
func TestNotesOfColumnsLeftOut(t *testing.T) {
	r := reports.Report{Notes: []reports.Note{{Text: "of the name"}, {Text: "of what is left out"}}, Tables: []reports.Table{{
		Columns: []reports.Column{{Title: "name", Code: true}, {Title: "more", Extra: true}},
		Rows:    [][]reports.Cell{{{Text: "Sort", Notes: []int{1}}, {Text: strings.Repeat("x", 40), Notes: []int{2}}}},
	}}}
	for width, want := range map[int]string{0: "x ²\n", 80: "x ²\n", 30: "Sort ¹ ²\n"} {
		var b bytes.Buffer
		if err := reports.Text(&b, r, reports.TextOptions{Width: width}); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(b.String(), want) || !strings.Contains(b.String(), "of what is left out") {
			t.Errorf("width %d:\n%s", width, b.String())
		}
	}
	if len(r.Tables[0].Rows[0][0].Notes) != 1 {
		t.Error("the caller's cells were changed")
	}
}
