package compare

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/perftrack/perftrack/runner/record"
)

// aaValues draws rounds of a trial of a source against itself. Both sides of a round share one
// layout, and each sample has its own noise.
func aaValues(seed uint64, rounds int, own, shared float64) (b, h []float64) {
	r := rand.New(rand.NewPCG(seed, 1))
	for range rounds {
		layout := shared * r.NormFloat64()
		b = append(b, 100*math.Exp(layout+own*r.NormFloat64()))
		h = append(h, 100*math.Exp(layout+own*r.NormFloat64()))
	}
	return b, h
}

// Constant counts and units derived from the time have no noise of their own.
func TestCalibrateRows(t *testing.T) {
	side := func(s record.Side, seed uint64) Side {
		b, _ := aaValues(seed, 10, 0.01, 0)
		flat, speed := make([]float64, len(b)), make([]float64, len(b))
		var rounds []record.Round
		for i := range b {
			flat[i], speed[i] = 64, 1e3/b[i]
			rounds = append(rounds, record.Round{N: i + 1, Iters: 1})
		}
		return Side{Runs: []*record.Run{{
			Target: "t", Trial: "x", Side: s, Status: record.Complete,
			Benchmarks: []record.Benchmark{{
				BenchmarkID: record.BenchmarkID{Kind: record.Bench, Name: "A"}, Rounds: rounds,
				Samples: []record.Samples{{Unit: "ns/op", Values: b}, {Unit: "MB/s", Values: speed}, {Unit: "B/op", Values: flat}},
			}},
		}}}
	}
	got := Calibrate(Compare(side(record.Base, 1), side(record.Head, 2), Options{}))
	if len(got) != 1 || got[0].Unit != "sec/op" || got[0].Name != "A" || got[0].Spread < 0.003 || got[0].Spread > 0.03 {
		t.Fatalf("%d calibrations: %+v", len(got), got)
	}
}
