package imports

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/runner/record"
)

// Of many runs, people see the deleted ones, and programs see all.
func TestReportOfManyRuns(t *testing.T) {
	shown := func(runs, deleted int, write func(*bytes.Buffer, reports.Report) error) string {
		o := &Outcome{}
		for i := range runs {
			o.Runs = append(o.Runs, Result{File: "some.txt", ID: strings.Repeat("a", 64), Added: i%2 == 0})
		}
		for range deleted {
			o.Runs = append(o.Runs, Result{File: "gone.txt", ID: strings.Repeat("b", 64), Deleted: &record.Deletion{Time: time.Unix(0, 0)}})
		}
		var out bytes.Buffer
		if err := write(&out, o.Report()); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	text := func(out *bytes.Buffer, r reports.Report) error { return reports.Text(out, r, reports.TextOptions{}) }
	csv := func(out *bytes.Buffer, r reports.Report) error { return reports.CSV(out, r) }
	json := func(out *bytes.Buffer, r reports.Report) error { return reports.JSON(out, r) }
	for _, tt := range []struct {
		what          string
		text          string
		some, deleted int // rows
		note          bool
	}{
		{"few", shown(38, 2, text), 38, 2, false},
		{"many", shown(60, 2, text), 0, 2, true},
		{"many without deleted ones", shown(60, 0, text), 0, 0, true},
		{"many as CSV", shown(60, 2, csv), 60, 2, false},
		{"many as JSON", shown(60, 2, json), 60, 2, false},
	} {
		some, deleted := strings.Count(tt.text, "some.txt"), strings.Count(tt.text, "gone.txt")
		note := strings.Contains(tt.text, "\nnote: not listed: 60 runs added or already present; --format json or csv lists all\n")
		if some != tt.some || deleted != tt.deleted || note != tt.note {
			t.Errorf("%s: %d rows and %d of deleted runs, want %d and %d:\n%s", tt.what, some, deleted, tt.some, tt.deleted, tt.text)
		}
	}
}
