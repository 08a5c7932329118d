package check

import (
	"slices"
	"testing"
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
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

// Choosing how benchmarks are measured ends with the budget, and says of how many.
func TestLate(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	check := &check{session: &workspace.Session{Now: func() time.Time { return now }}}
	c := &course{check: check}
	if c.late(3) || c.outOfTime {
		t.Error("a check without a budget is late")
	}
	check.deadline = now
	if c.late(3) || c.outOfTime {
		t.Error("a check is late at the end of its budget")
	}
	now = now.Add(1)
	if !c.late(3) || !c.outOfTime || c.left != 3 {
		t.Errorf("after its budget a check is not late, or of %d slots", c.left)
	}
}
