package check

import (
	"slices"
	"testing"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/runner"
	"github.com/perftrack/perftrack/runner/record"
)

// A row closes the slot of its benchmark alone, wherever it was measured on its own.
func TestSlotsOf(t *testing.T) {
	c := &course{target: "work"}
	got := c.slotsOf(&compare.Row{BenchmarkID: record.BenchmarkID{Package: "example.com/m", Name: "Parse/a/b"}})
	for _, s := range []runner.Slot{
		{Package: "example.com/m", Bench: "Parse/a/b"}, // in slices
		{Package: "example.com/m", Bench: "Parse"},     // a function
		{Bench: "Parse"},  // of the engine
		{Package: "work"}, // a program
	} {
		if !slices.Contains(got, s.String()) {
			t.Errorf("a row of %s may be of the slots %q, but not of %s", "Parse/a/b", got, s)
		}
	}
	if slices.Contains(got, runner.Slot{Package: "example.com/m", Bench: "Parse/a"}.String()) {
		t.Errorf("a row may be of the slots %q", got)
	}
}
