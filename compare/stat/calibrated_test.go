package stat

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// aaValues draws rounds with the same source on both sides. In each round, both sides share the
// noise of the layout, and each sample also has its own noise.
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
	// The ratio of two samples contains the noise of both, but not their shared noise.
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

// Among mostly equal byte counts, a count one byte larger is not off, but one twice as large is.
func TestRoundsOffOfConstants(t *testing.T) {
	for _, tt := range []struct {
		odd  float64
		want OffRounds
	}{{4097, OffRounds{0, 20}}, {8192, OffRounds{2, 20}}} {
		b, h := slices.Repeat([]float64{4096}, 20), slices.Repeat([]float64{4096}, 20)
		b[3], h[11] = tt.odd, tt.odd
		if c, ok := CalibrationOf(pairsOf(b, h)); !ok || c.Off != tt.want {
			t.Errorf("two rounds of %v: %+v, want %+v off", tt.odd, c, tt.want)
		}
	}
}

// Ranks are capped if, over all calibrations, more than one round in twenty is off and at least
// three rounds are.
func TestRoundsThatCapRanks(t *testing.T) {
	for _, tt := range []struct {
		name string
		of   []OffRounds
		want bool
	}{
		{"no calibration", nil, false},
		{"one round of 20", []OffRounds{{1, 20}}, false},
		{"one of 4", []OffRounds{{1, 4}}, false},
		{"two of 20, as a machine may have once", []OffRounds{{2, 20}}, false},
		{"three of 20", []OffRounds{{3, 20}}, true},
		{"one each of three short ones", []OffRounds{{1, 10}, {1, 10}, {1, 10}}, true},
		{"exactly one of twenty", []OffRounds{{5, 50}, {0, 50}}, false},
		{"a little more", []OffRounds{{5, 50}, {1, 50}}, true},
		{"one bad calibration among good ones", []OffRounds{{0, 20}, {0, 20}, {3, 20}, {0, 20}}, false},
	} {
		var all OffRounds
		for _, o := range tt.of {
			all = all.Plus(o)
		}
		if got := all.Capped(); got != tt.want {
			t.Errorf("%s: %+v, capped %v, want %v", tt.name, all, got, tt.want)
		}
	}
}

// Forecasting the rounds for a change that is detectable in n rounds yields n.
func TestDetectableInvertsNeed(t *testing.T) {
	for _, spread := range []float64{0.01, 0.03, 0.1} {
		for _, family := range []int{1, 29} {
			d, look := Detectable(spread, 20, 0, false, 0.01, family, 50)
			if look != 48 {
				t.Errorf("spread %v, family %d: found after %d rounds", spread, family, look)
			}
			planned := spread * (1 + pairsMargin/math.Sqrt(20))
			level := CheckPlan().share(look) * 0.01 / Options{}.withDefaults().sharing(family)
			known := int(NormalQuantile(level) * NormalQuantile(level) / 2)
			null := FloorFor(0.05, 0).Null
			if n := requiredPairs(planned, false, level, math.Log1p(d*1.001)-null); n > look-known {
				t.Errorf("spread %v, family %d: %.4f takes %d rounds", spread, family, d, n)
			}
			if n := requiredPairs(planned, false, level, math.Log1p(d*0.97)-null); n <= look-known-1 {
				t.Errorf("spread %v, family %d: less than %.4f takes only %d rounds", spread, family, d, n)
			}
		}
	}
}

func TestDetectableLimits(t *testing.T) {
	if d, look := Detectable(0.01, 0, 0, false, 0.01, 1, 8); !math.IsInf(d, 1) || look != 0 {
		t.Errorf("8 rounds: %v after %d", d, look)
	}
	few, _ := Detectable(0.01, 0, 0, false, 0.01, 1, 10)
	many, _ := Detectable(0.01, 0, 0, false, 0.01, 1, 40)
	if !(few > many) {
		t.Errorf("10 rounds find %v, 40 rounds %v", few, many)
	}
	// A check reports nothing below four times the noise floor.
	if d, _ := Detectable(0.01, 0, 0.02, false, 0.01, 1, 40); d < 0.08 {
		t.Errorf("noise floor 2 %%: detects %v", d)
	}
	if d, _ := Detectable(1e-6, 0, 0, false, 0.01, 1, 40); d < 2*DefaultNoise {
		t.Errorf("no noise at all: detects %v", d)
	}
	for _, tt := range []struct{ detectable, want float64 }{{0, 0.01}, {0.01, 0.01}, {0.011, 0.02}, {0.06, 0.075}, {0.5, 0.5}, {0.51, 0}, {math.Inf(1), 0}} {
		if got := RecommendedThreshold(tt.detectable); got != tt.want {
			t.Errorf("RecommendedThreshold(%v) = %v, want %v", tt.detectable, got, tt.want)
		}
	}
}

// A check finds the change promised by Detectable, with capped ranks if some rounds are far off,
// and with uncapped ranks otherwise.
func TestDetectableIsFound(t *testing.T) {
	const rounds = 1000 // of the calibration
	r := rand.New(rand.NewPCG(21, 22))
	for _, off := range []float64{0, 0.06, 0.1} {
		capped := off > 0
		measured := func(rounds int, effect float64) Series {
			series := seq(r, rounds, 0.02, effect)
			unsettle(r, series.Pairs, off)
			series.Capped, series.Threshold = capped, 0.01 // smaller than the change
			return series
		}
		c, _ := CalibrationOf(measured(rounds, 0).Pairs)
		opt := Options{}
		opt.Part = 1. / 29
		d, look := Detectable(c.Spread, rounds, 0, capped, opt.Alpha, 29, 40)
		const trials = 1000
		found := 0
		for range trials {
			if Replay(Trial{Series: []Series{measured(look, d)}, Sessions: []int{look}}, opt)[0].Outcome == Higher {
				found++
			}
		}
		t.Logf("%v off: a change of %.4f is found %d times of %d", off, d, found, trials)
		if found < trials*95/100 || c.Off.Capped() != capped {
			t.Errorf("%v off: a change of %.4f is found %d times of %d, %+v", off, d, found, trials, c)
		}
	}
}
