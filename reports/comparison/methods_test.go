package comparison

import (
	"testing"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/reports/comparison/rowcells"
	"github.com/perftrack/perftrack/runner/record"
)

// Rows measured in fresh processes for the same reason share a footnote even if the numbers in
// their details differ.
func TestWayNotesShared(t *testing.T) {
	notes := &reports.Footnotes{}
	for _, m := range []record.Method{
		{Why: "its turns take too long", Detail: "33ms each, and a round has at least 12"},
		{Why: "its turns take too long", Detail: "29.8ms each, and a round has at least 12"},
		{Why: "its process ended (exit status 2) before it had all results"},
	} {
		m.How = record.MethodFresh
		rowcells.MethodNotes(&compare.Row{Decision: compare.Decision{Rounds: 10}, Method: &m}, notes)
	}
	want := []reports.Note{
		{Text: "base and head ran one after the other instead of taking turns of milliseconds", Detail: "its turns take too long"},
		{Text: "base and head ran one after the other instead of taking turns of milliseconds", Detail: "its process ended (exit status 2) before it had all results"},
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
