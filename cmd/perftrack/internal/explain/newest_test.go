package explain

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/perftrack/perftrack/compare"
	explanationreport "github.com/perftrack/perftrack/reports/explanation"
	"github.com/perftrack/perftrack/runner/record"
)

// The worst row is the largest regression or, without a regression, the largest improvement or
// other change in a unit explainable by functions.
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

// --bench is taken as a name if a row has it, and otherwise as an expression.
func TestNamed(t *testing.T) {
	var rows []*compare.Row
	for _, name := range []string{"Sort", "SortStable", "Parse/4KB"} {
		rows = append(rows, &compare.Row{BenchmarkID: record.BenchmarkID{Name: name}, Target: "m"})
	}
	for _, tt := range []struct {
		bench, target string
		want          int
	}{{"", "", 3}, {"Sort", "", 1}, {"BenchmarkSort", "", 1}, {"^Sort", "", 2}, {"Parse", "", 1}, {"Prase", "", 0}, {"", "n", 0}} {
		opt := Options{Target: tt.target}
		opt.Flags.Bench = tt.bench
		if got := opt.named(slices.Clone(rows)); len(got) != tt.want {
			t.Errorf("--bench %q --target %q: %d rows, want %d", tt.bench, tt.target, len(got), tt.want)
		}
	}
}

// When the budget is used up, the explanation ends with an error message. Time spent waiting for
// another measurement does not count.
func TestLimit(t *testing.T) {
	opt := Options{Budget: time.Nanosecond}
	opt.Flags.Bench = "Sort"
	wait := func(ctx context.Context, _ Options) (*explanationreport.Explanation, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	if _, err := opt.limited(t.Context(), wait); err == nil || !strings.HasPrefix(err.Error(), "the budget of 1ns ran out before Sort was explained") {
		t.Errorf("a spent budget: %v", err)
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	if _, err := opt.limited(stopped, wait); !errors.Is(err, context.Canceled) {
		t.Errorf("an interruption: %v", err)
	}
	within, l := newLimit(t.Context(), time.Hour)
	ends := l.ends
	l.pause()
	if l.timer.Stop() {
		t.Error("time goes on in a wait")
	}
	if got := l.resume(10 * time.Minute).Sub(ends); got != 10*time.Minute || within.Err() != nil || !l.timer.Stop() {
		t.Errorf("a wait of 10m moves the end by %v", got)
	}
	l.end()
	if within.Err() == nil {
		t.Error("an ended limit leaves its context open")
	}
}
