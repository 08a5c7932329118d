package stat

import (
	"math"
	"math/rand/v2"
	"testing"
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
		c, ok := CalibrationOf(pairsOf(b, h))
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
	// The ratio of two samples scatters by the noise of both, and not by what they share.
	if want := math.Sqrt2 * 0.04; math.Abs(spread-want) > 0.1*want {
		t.Errorf("spread %.4f, want about %.4f", spread, want)
	}
	if math.Abs(common-0.05) > 0.005 {
		t.Errorf("common %.4f, want about 0.05", common)
	}
	if covered < 0.9 || covered > 0.99 {
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
		if c, ok := CalibrationOf(pairsOf(tt.b, tt.h)); ok != tt.want {
			t.Errorf("%s: %v, %+v", tt.name, ok, c)
		}
	}
}

// What can be detected in n rounds is what takes n rounds to find.
func TestDetectableInvertsNeed(t *testing.T) {
	for _, spread := range []float64{0.01, 0.03, 0.1} {
		for _, family := range []int{1, 29} {
			d, look := Detectable(spread, 20, 0, 0.01, family, 40)
			if look != 40 {
				t.Errorf("spread %v, family %d: found after %d rounds", spread, family, look)
			}
			planned := spread * (1 + pairsMargin/math.Sqrt(20))
			level := CheckPlan().share(look) * 0.01 / float64(family)
			null := PairFloor(0.05, 0).Null
			if n := requiredPairs(planned, level, math.Log1p(d*1.001)-null); n > look {
				t.Errorf("spread %v, family %d: %.4f takes %d rounds", spread, family, d, n)
			}
			if n := requiredPairs(planned, level, math.Log1p(d*0.97)-null); n <= look {
				t.Errorf("spread %v, family %d: less than %.4f takes only %d rounds", spread, family, d, n)
			}
		}
	}
}

func TestDetectableLimits(t *testing.T) {
	if d, look := Detectable(0.01, 0, 0, 0.01, 1, 9); !math.IsInf(d, 1) || look != 0 {
		t.Errorf("9 rounds: %v after %d", d, look)
	}
	few, _ := Detectable(0.01, 0, 0, 0.01, 1, 10)
	many, _ := Detectable(0.01, 0, 0, 0.01, 1, 40)
	if !(few > many) {
		t.Errorf("10 rounds find %v, 40 rounds %v", few, many)
	}
	// A check reports nothing below four times the noise floor.
	if d, _ := Detectable(0.01, 0, 0.02, 0.01, 1, 40); d < 0.08 {
		t.Errorf("noise floor 2 %%: detects %v", d)
	}
	if d, _ := Detectable(1e-6, 0, 0, 0.01, 1, 40); d < 2*DefaultNoise {
		t.Errorf("no noise at all: detects %v", d)
	}
	for _, tt := range []struct{ detectable, want float64 }{{0, 0.01}, {0.01, 0.01}, {0.011, 0.02}, {0.06, 0.075}, {0.5, 0.5}, {0.51, 0}, {math.Inf(1), 0}} {
		if got := RecommendedThreshold(tt.detectable); got != tt.want {
			t.Errorf("RecommendedThreshold(%v) = %v, want %v", tt.detectable, got, tt.want)
		}
	}
}
