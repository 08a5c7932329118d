package record

import (
	"testing"
	"time"
)

// The last round is the highest round number of any benchmark. A continued trial keeps counting its
// rounds, but decided benchmarks get no more rounds.
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

// The commit time is used as the time of the measurement only if no other time is known.
func TestMeasured(t *testing.T) {
	day := func(n int) time.Time { return time.Date(2026, 1, n, 0, 0, 0, 0, time.UTC) }
	for _, tt := range []struct {
		run   Run
		at    time.Time
		known bool
	}{
		{Run{Commit: Commit{Time: day(1)}, Start: day(2), End: day(3)}, day(3), true},
		{Run{Commit: Commit{Time: day(1)}, Start: day(2)}, day(2), true},
		{Run{Commit: Commit{Time: day(1)}}, day(1), false},
		{Run{}, time.Time{}, false},
	} {
		if at, known := tt.run.Measured(); !at.Equal(tt.at) || known != tt.known {
			t.Errorf("%+v: %v, %v; want %v, %v", tt.run, at, known, tt.at, tt.known)
		}
	}
}
