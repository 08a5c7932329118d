package check

import (
	"testing"
	"time"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/runner/record"
)

func TestStandingWords(t *testing.T) {
	row := func(name string, v compare.Verdict, open bool) *compare.Row {
		r := &compare.Row{BenchmarkID: record.BenchmarkID{Name: name}}
		r.Verdict, r.Open = v, open
		return r
	}
	var s standing
	for _, r := range []*compare.Row{
		row("A", compare.Regressed, false), row("A", compare.Regressed, false), row("A", compare.Inconclusive, true), // three units of one benchmark
		row("B", compare.Unchanged, false), row("B", compare.Inconclusive, true),
		row("C", compare.Regressed, true), // not decided yet
		row("D", compare.Improved, false),
	} {
		s.add(r)
	}
	if got, want := s.words(10, 4*time.Minute), "10 rounds: 2 of 4 decided, 1 regressed, about 4 min left"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := s.words(10, -time.Minute), "10 rounds: 2 of 4 decided, 1 regressed"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	var done standing
	done.add(row("A", compare.Unchanged, false))
	if got, want := done.words(15, time.Minute), "15 rounds: 1 of 1 decided"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestTooLong(t *testing.T) {
	if got, want := tooLong(10, 6*time.Minute, 2*time.Minute), "deciding 10 benchmarks takes about 6 min, but the budget is 2m; the report lists the benchmarks not decided"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := tooLong(10, time.Minute, time.Minute); got != "" {
		t.Errorf("%q of a budget that will do", got)
	}
	if got := tooLong(0, time.Hour, time.Minute); got != "" {
		t.Errorf("%q where nothing is to be decided", got)
	}
}
