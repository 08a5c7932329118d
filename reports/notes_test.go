package reports_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/reports"
)

// A footnote whose mark is in a column that was left out explains nothing.
func TestNotesOfColumnsLeftOut(t *testing.T) {
	r := reports.Report{Notes: []reports.Note{{Text: "of the name"}, {Text: "of what is left out"}}, Tables: []reports.Table{{
		Columns: []reports.Column{{Title: "name", Code: true}, {Title: "more", Extra: true}},
		Rows:    [][]reports.Cell{{{Text: "Sort", Notes: []int{1}}, {Text: strings.Repeat("x", 40), Notes: []int{2}}}},
	}}}
	for width, want := range map[int]bool{0: true, 80: true, 30: false} {
		var b bytes.Buffer
		if err := reports.Text(&b, r, reports.TextOptions{Width: width}); err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(b.String(), "of what is left out"); got != want || !strings.Contains(b.String(), "of the name") {
			t.Errorf("width %d:\n%s", width, b.String())
		}
	}
}
