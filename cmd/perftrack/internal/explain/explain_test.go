package explain

import (
	"slices"
	"testing"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/runner/record"
)

func TestRegressedRows(t *testing.T) {
	row := func(name, unit string, v compare.Verdict, delta float64) *compare.Row {
		return &compare.Row{BenchmarkID: record.BenchmarkID{Kind: record.Bench, Name: name}, Unit: unit, Delta: delta, Decision: compare.Decision{Verdict: v}}
	}
	c := &compare.Comparison{Tables: []compare.Table{
		{Rows: []*compare.Row{row("A", "B/op", compare.Regressed, 0.5), row("C", "B/op", compare.Regressed, 0.2)}},
		{Rows: []*compare.Row{row("A", "sec/op", compare.Regressed, 0.1), row("B", "sec/op", compare.Improved, -0.5), row("D", "sec/op", compare.Regressed, 0.3)}},
	}}
	var got []string
	for _, r := range regressedRows(c) {
		got = append(got, r.Name+" "+r.Unit)
	}
	if want := []string{"D sec/op", "C B/op", "A sec/op"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
