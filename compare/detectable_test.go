package compare

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/perftrack/perftrack/runner/record"
)

// aaValues are rounds of one source on both sides: each round has a layout of
// its own, which both sides share, and each sample its own noise.
func aaValues(seed uint64, rounds int, own, shared float64) (b, h []float64) {
	r := rand.New(rand.NewPCG(seed, 1))
	for range rounds {
		layout := shared * r.NormFloat64()
		b = append(b, 100*math.Exp(layout+own*r.NormFloat64()))
		h = append(h, 100*math.Exp(layout+own*r.NormFloat64()))
	}
	return b, h
}

func TestCalibration(t *testing.T) {
	var spread, common, covered float64
	const times = 200
	for seed := range uint64(times) {
		b, h := aaValues(seed, 40, 0.04, 0.05)
		c, ok := calibration(b, h)
		if !ok {
			t.Fatal("no calibration")
		}
		spread, common = spread+c.Spread/times, common+c.Common/times
		if c.Shift.Lo <= 0 && c.Shift.Hi >= 0 {
			covered += 1.0 / times
		}
		if se := c.History.SE; se < 0.001 || se > 0.05 || math.Abs(c.History.Shift) > 0.1 {
			t.Errorf("history %+v", c.History)
		}
	}
	// One side's samples scatter by their own noise and by the layouts.
	if want := math.Hypot(0.04, 0.05); math.Abs(spread-want) > 0.1*want {
		t.Errorf("spread %.4f, want about %.4f", spread, want)
	}
	if math.Abs(common-0.05) > 0.005 {
		t.Errorf("common %.4f, want about 0.05", common)
	}
	if covered < 0.95 { // what the sides share makes the interval too wide
		t.Errorf("95 %% intervals cover 0 in %.3f of the trials", covered)
	}
}

func TestCalibrationRefuses(t *testing.T) {
	nan := math.NaN()
	for _, tt := range []struct {
		name string
		b, h []float64
		want bool
	}{
		{"four rounds", []float64{1, 2, 3, 4}, []float64{2, 3, 4, 1}, true},
		{"three rounds", []float64{1, 2, 3}, []float64{2, 3, 4}, false},
		{"three whole rounds", []float64{1, 2, 3, 4}, []float64{2, 3, 4, nan}, false},
		{"a gap", []float64{1, nan, 3, 4, 5}, []float64{2, 3, 4, 1, 5}, true},
		{"a 0", []float64{1, 2, 0, 4, 5}, []float64{2, 3, 4, 1, 5}, false},
		{"nothing", nil, nil, false},
	} {
		if c, ok := calibration(tt.b, tt.h); ok != tt.want {
			t.Errorf("%s: %v, %+v", tt.name, ok, c)
		}
	}
}

// What can be detected in n rounds is what takes n rounds to find.
func TestDetectableInvertsNeed(t *testing.T) {
	row := &Row{values: [2][]float64{make([]float64, 20), make([]float64, 20)}}
	for _, spread := range []float64{0.01, 0.03, 0.1} {
		for _, family := range []int{1, 29} {
			c := Calibration{Row: row, Spread: spread}
			d, look := c.Detectable(0, 0.01, family, 40)
			if look != 40 {
				t.Errorf("spread %v, family %d: found after %d rounds", spread, family, look)
			}
			planned := spread * (1 + planningMargin/math.Sqrt(20))
			level := CheckPlan().share(look) * 0.01 / float64(family)
			null := FloorFor(0.05, 0).Null
			if n := requiredRounds(planned, level, math.Log1p(d*1.001)-null); n > look {
				t.Errorf("spread %v, family %d: %.4f takes %d rounds", spread, family, d, n)
			}
			if n := requiredRounds(planned, level, math.Log1p(d*0.97)-null); n <= look {
				t.Errorf("spread %v, family %d: less than %.4f takes only %d rounds", spread, family, d, n)
			}
		}
	}
}

func TestDetectableLimits(t *testing.T) {
	c := Calibration{Row: &Row{}, Spread: 0.01}
	if d, look := c.Detectable(0, 0.01, 1, 9); !math.IsInf(d, 1) || look != 0 {
		t.Errorf("9 rounds: %v after %d", d, look)
	}
	few, _ := c.Detectable(0, 0.01, 1, 10)
	many, _ := c.Detectable(0, 0.01, 1, 40)
	if !(few > many) {
		t.Errorf("10 rounds find %v, 40 rounds %v", few, many)
	}
	// A check reports nothing below four times the noise floor.
	if d, _ := c.Detectable(0.02, 0.01, 1, 40); d < 0.08 {
		t.Errorf("noise floor 2 %%: detects %v", d)
	}
	if d, _ := (Calibration{Row: &Row{}, Spread: 1e-6}).Detectable(0, 0.01, 1, 40); d < 4*DefaultNoise {
		t.Errorf("no noise at all: detects %v", d)
	}
	for _, tt := range []struct{ detectable, want float64 }{{0, 0.01}, {0.01, 0.01}, {0.011, 0.02}, {0.06, 0.075}, {0.5, 0.5}, {0.51, 0}, {math.Inf(1), 0}} {
		if got := RecommendedThreshold(tt.detectable); got != tt.want {
			t.Errorf("RecommendedThreshold(%v) = %v, want %v", tt.detectable, got, tt.want)
		}
	}
}

// Counts that do not vary and units that follow from the time have no noise of
// their own.
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
