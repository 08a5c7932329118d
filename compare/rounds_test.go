package compare

import (
	"math"
	"testing"

	"github.com/perftrack/perftrack/compare/pairs"
	"github.com/perftrack/perftrack/compare/stat"
	"github.com/perftrack/perftrack/runner/record"
)

// A pair has both sides' values in a round, in the tidied unit, and records which side was measured
// first. If a process has several samples, their median is used. A round without a sample on one
// side gives no pair.
func TestByRound(t *testing.T) {
	id := record.BenchmarkID{Kind: record.Bench, Name: "X"}
	of := func(side record.Side, rounds []record.Round, values ...float64) []*record.Run {
		return []*record.Run{{Trial: "t", Side: side, Benchmarks: []record.Benchmark{
			{BenchmarkID: id, Rounds: rounds, Samples: []record.Samples{{Unit: "ns/op", Values: values}}},
		}}}
	}
	nan := math.NaN()
	p := &pairs.Pairing{Runs: [2][]*record.Run{
		of(record.Base, []record.Round{{N: 1, Order: 0}, {N: 2, Order: 1}, {N: 4, Order: 0}, {N: 5, Order: 0}}, 1e9, 2e9, 4e9, nan),
		of(record.Head, []record.Round{{N: 1, Order: 1}, {N: 2, Order: 0}, {N: 4, Order: 1}, {N: 4, Order: 2}, {N: 6, Order: 0}}, 10e9, 20e9, 40e9, 50e9, 60e9),
	}}
	got := p.Rounds()[pairs.SeriesUnit{BenchmarkID: id, Unit: "ns/op"}]
	want := []stat.Pair{{Base: 1, Head: 10}, {Base: 2, Head: 20, HeadFirst: true}, {Base: nan, Head: nan}, {Base: 4, Head: 45}}
	if len(got) != len(want) {
		t.Fatalf("%d rounds, want %d: %v", len(got), len(want), got)
	}
	for i := range want {
		missing := math.IsNaN(want[i].Base) && math.IsNaN(got[i].Base) && math.IsNaN(got[i].Head)
		if !missing && got[i] != want[i] {
			t.Errorf("round %d: %+v, want %+v", i+1, got[i], want[i])
		}
	}
}
