package vet

import (
	"slices"
	"testing"
)

// TestMissed says once what many benchmarks have in common.
func TestMissed(t *testing.T) {
	got := []string{}
	for _, note := range missed([]Miss{
		{"p", "BenchmarkA", "late\nmore"},
		{"p", "BenchmarkB", "late\nmore"}, {"p", "BenchmarkC", "other"},
		{"q", "BenchmarkD", "other"}, {"q", "BenchmarkE", "other"}, {"q", "BenchmarkF", "other"}, {"r", "", "not built"},
	}) {
		got = append(got, note.Detail)
	}
	want := []string{"p BenchmarkA, BenchmarkB: late", "p BenchmarkC: other", "q BenchmarkD to BenchmarkF, 3 of them: other", "r: not built"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestSummary does not call well what was not looked at.
func TestSummary(t *testing.T) {
	miss := []Miss{{"p", "BenchmarkA", "late"}}
	for _, c := range []struct {
		vet  Vet
		want string
	}{
		{Vet{Looked: 3, Packages: 1}, "nothing found in 3 benchmark functions of 1 package"},
		{Vet{Looked: 3, Packages: 1, Unjudged: miss}, "nothing found in 3 benchmark functions of 1 package, 1 of them not judged by a run"},
		{Vet{Looked: 3, Packages: 1, Missed: miss}, "nothing found in 3 benchmark functions of 1 package, not all of which could be looked at"},
		{Vet{Looked: 3, Packages: 1, Findings: []Finding{{Sure: "likely"}, {Sure: "certain"}}}, "2 findings in 3 benchmark functions of 1 package: 1 certain, 1 likely"},
	} {
		if got, _ := c.vet.summary(); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
