package record

import "testing"

// The last round is that of any benchmark, by its number: a trial that is
// continued goes on numbering, and a benchmark that is decided has no more.
func TestLastRound(t *testing.T) {
	at := func(rounds ...int) (b Benchmark) {
		for _, n := range rounds {
			b.Rounds = append(b.Rounds, Round{N: n})
		}
		return b
	}
	for _, tt := range []struct {
		benchmarks []Benchmark
		want       int
	}{
		{nil, 0},
		{[]Benchmark{at()}, 0},
		{[]Benchmark{at(1, 2, 3)}, 3},
		{[]Benchmark{at(41, 42), at(41, 42, 43), at(41)}, 43},
	} {
		if got := (&Run{Benchmarks: tt.benchmarks}).LastRound(); got != tt.want {
			t.Errorf("last round of %v is %d, want %d", tt.benchmarks, got, tt.want)
		}
	}
}
