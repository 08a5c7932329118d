package comparison

import (
	"slices"
	"testing"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/runner/record"
)

// The benchmarks selected for a check come before those measured only by earlier checks of the
// trial, but after regressions.
func TestAskedComesFirst(t *testing.T) {
	row := func(name string, verdict compare.Verdict) *compare.Row {
		return &compare.Row{BenchmarkID: record.BenchmarkID{Name: name}, Decision: compare.Decision{Verdict: verdict}}
	}
	rows := []*compare.Row{row("Wide", compare.NotChecked), row("Asked", compare.Unchanged), row("Slow", compare.Regressed), row("Other", compare.Inconclusive)}
	asked := func(name string) bool { return name == "Asked" }
	for _, tt := range []struct {
		view View
		want []string
	}{
		{View{Asked: asked}, []string{"Slow", "Asked", "Wide", "Other"}},
		{View{}, []string{"Slow", "Wide", "Other", "Asked"}},
		{View{Asked: asked, Sort: "name"}, []string{"Asked", "Other", "Slow", "Wide"}},
	} {
		sorted := slices.Clone(rows)
		slices.SortStableFunc(sorted, tt.view.first)
		var got []string
		for _, r := range sorted {
			got = append(got, r.Name)
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("got %v, want %v", got, tt.want)
		}
	}
}
