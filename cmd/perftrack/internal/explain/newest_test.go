package explain

import (
	"testing"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/runner/record"
)

// The worst row is the largest regression; without one the largest change of which a function can be the cause.
func TestWorst(t *testing.T) {
	row := func(name, unit string, verdict compare.Verdict, change float64) *compare.Row {
		r := &compare.Row{BenchmarkID: record.BenchmarkID{Kind: record.Bench, Name: name}, Unit: unit}
		r.Verdict, r.Delta = verdict, change
		r.Base.N, r.Head.N = 10, 10
		return r
	}
	for _, tt := range []struct {
		rows []*compare.Row
		want string
	}{
		{nil, ""},
		{[]*compare.Row{row("A", "sec/op", compare.Regressed, 0.1), row("B", "sec/op", compare.Regressed, 0.2), row("C", "sec/op", compare.Improved, -0.9)}, "B"},
		{[]*compare.Row{row("A", "sec/op", compare.Unchanged, 0.3), row("B", "sec/op", compare.Improved, -0.2)}, "B"},
		{[]*compare.Row{row("A", "sec/op", compare.Unchanged, -0.01), row("B", "sec/op", compare.Inconclusive, 0.02)}, "B"},
		{[]*compare.Row{row("A", "GFLOPS", compare.Regressed, 0.5), row("B", "B/op", compare.Regressed, 0.1)}, "B"},
		{[]*compare.Row{row("A", "GFLOPS", compare.Regressed, 0.5)}, ""},
	} {
		got := ""
		if r := worst(tt.rows); r != nil {
			got = r.Name
		}
		if got != tt.want {
			t.Errorf("the worst of %d rows is %q, want %q", len(tt.rows), got, tt.want)
		}
	}
}
