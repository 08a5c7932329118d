package comparison

import (
	"testing"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/runner/record"
)

// Rows that were not measured in turns for one reason share a footnote, whatever numbers each has.
func TestWayNotesShared(t *testing.T) {
	notes := &reports.Footnotes{}
	for _, why := range []string{
		"its turns take too long (33ms each, and a round has at least 12)",
		"its turns take too long (29.8ms each, and a round has at least 12)",
		"its process ended (exit status 2) before it had all results",
	} {
		wayNotes(&compare.Row{Decision: compare.Decision{Rounds: 10}, Way: &record.Way{How: record.WayFresh, Why: why}}, notes)
	}
	want := []reports.Note{
		{Text: "base and head ran one after the other, not in turns of milliseconds", Detail: "its turns take too long"},
		{Text: "base and head ran one after the other, not in turns of milliseconds", Detail: "its process ended (exit status 2) before it had all results"},
	}
	if len(notes.Notes) != len(want) {
		t.Fatalf("footnotes %v, want %v", notes.Notes, want)
	}
	for i, n := range notes.Notes {
		if n != want[i] {
			t.Errorf("footnote %d: %v, want %v", i+1, n, want[i])
		}
	}
}
