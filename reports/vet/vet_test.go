package vet

import (
	"errors"
	"slices"
	"testing"

	"github.com/perftrack/perftrack/runner/vet"
)

// Consecutive benchmarks missed for the same reason share an item.
func TestMissed(t *testing.T) {
	got := []string{}
	for _, note := range missed([]Miss{
		{"p", "BenchmarkA", errors.New("late\nmore")},
		{"p", "BenchmarkB", errors.New("late\nmore")}, {"p", "BenchmarkC", errors.New("other")},
		{"q", "BenchmarkD", errors.New("other")}, {"q", "BenchmarkE", errors.New("other")}, {"q", "BenchmarkF", errors.New("other")}, {"r", "", errors.New("not built")},
	}) {
		got = append(got, note.Detail)
	}
	want := []string{"p BenchmarkA, BenchmarkB: late", "p BenchmarkC: other", "q BenchmarkD to BenchmarkF, 3 in all: other", "r: not built"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// The summary mentions benchmarks that were not fully checked.
func TestSummary(t *testing.T) {
	miss := []Miss{{"p", "BenchmarkA", errors.New("late")}}
	for _, c := range []struct {
		result Result
		want   string
	}{
		{Result{Functions: 3, Packages: 1}, "nothing found in 3 benchmark functions of 1 package"},
		{Result{Functions: 3, Packages: 1, Unjudged: miss}, "nothing found in 3 benchmark functions of 1 package, 1 of them not judged by a run"},
		{Result{Functions: 3, Packages: 1, Missed: miss}, "nothing found in 3 benchmark functions of 1 package, not all of them fully checked"},
		{Result{Functions: 3, Packages: 1, Findings: []vet.Finding{{Sure: vet.Likely}, {Sure: vet.Certain}}}, "2 findings in 3 benchmark functions of 1 package: 1 certain, 1 likely"},
	} {
		if got, _ := c.result.summary(); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
