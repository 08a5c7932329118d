package comparison

import (
	"slices"
	"testing"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/runner/record"
)

// What a check was asked for stands before what only earlier checks of its trial measured, but not
// before a regression.
func TestAskedComesFirst(t *testing.T) {
	row := func(name string, verdict compare.Verdict) *compare.Row {
		return &compare.Row{BenchmarkID: record.BenchmarkID{Name: name}, Decision: compare.Decision{Verdict: verdict}}
	}
	rows := []*compare.Row{row("Wide", compare.NotChecked), row("Asked", compare.Unchanged), row("Slow", compare.Regressed), row("Other", compare.Inconclusive)}
	for _, tt := range []struct {
		view  View
		first string
	}{
		{View{Asked: func(name string) bool { return name == "Asked" }}, "Asked"},
		{View{}, "Wide"},
		{View{Asked: func(name string) bool { return name == "Asked" }, Sort: "name"}, ""},
	} {
		sorted := slices.Clone(rows)
		slices.SortStableFunc(sorted, tt.view.first)
		if tt.first == "" {
			if sorted[0].Name != "Asked" || sorted[1].Name != "Other" {
				t.Errorf("by name: %s, %s", sorted[0].Name, sorted[1].Name)
			}
			continue
		}
		if sorted[0].Name != "Slow" || tt.view.Asked != nil && sorted[1].Name != tt.first {
			t.Errorf("%s, %s; want Slow, %s", sorted[0].Name, sorted[1].Name, tt.first)
		}
	}
}
