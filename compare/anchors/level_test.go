package anchors_test

import (
	"math"
	"testing"

	"github.com/perftrack/perftrack/compare/anchors"
	"github.com/perftrack/perftrack/runner/record"
)

// If the machine is ten times slower during one run of the same code, there is no step.
func TestAtLevel(t *testing.T) {
	point := func(values ...float64) *record.HistoryPoint {
		p := &record.HistoryPoint{Run: &record.RunInfo{}}
		for i := range values {
			p.Benchmark.Rounds = append(p.Benchmark.Rounds, record.Round{N: i + 1})
		}
		p.Benchmark.Samples = []record.Samples{{Unit: "ns/op", Values: values}, {Unit: "allocs/op", Values: []float64{3, 3, 3}}}
		return p
	}
	level := map[string]float64{"ns/op": 9}
	for _, slow := range []float64{1, 10, 0.9, 7} {
		head, anchor := point(10*slow, 10*slow, 20*slow), point(9*slow, 9*slow, 18*slow)
		got := anchors.AtLevel(head, anchor, level).Benchmark
		for _, v := range got.Samples[0].Values {
			if math.Abs(v-10) > 1e-9 {
				t.Errorf("%g times as slow: %v, want 10 each", slow, got.Samples[0].Values)
			}
		}
		if got.Samples[1].Values[0] != 3 || head.Benchmark.Samples[0].Values[0] != 10*slow {
			t.Errorf("counts %v, and what was measured %v", got.Samples[1].Values, head.Benchmark.Samples[0].Values)
		}
	}
	if v := anchors.AtLevel(point(10, 10, 10), point(math.NaN(), 9, 18), level).Benchmark.Samples[0].Values[0]; math.Abs(v-10*9/13.5) > 1e-9 {
		t.Errorf("a round without an anchor: %v", v)
	}
}
