package stat

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestNoiseFloor(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	history := func(n int, noise, se float64) (out []HistoryShift) {
		for i := range n {
			h := HistoryShift{Shift: math.Hypot(noise, se) * r.NormFloat64(), SE: se}
			if i%10 == 0 {
				h.Shift += 0.2 // a real change
			}
			out = append(out, h)
		}
		return out
	}
	if got, ok := NoiseFloor(history(19, 0.02, 0.001)); got != DefaultNoise || ok {
		t.Errorf("19 points: %v %v", got, ok)
	}
	if got, ok := NoiseFloor(history(2000, 0.02, 0.01)); math.Abs(got-0.0225) > 0.003 || !ok {
		t.Errorf("2 %% between builds: %v %v", got, ok)
	}
	if got, ok := NoiseFloor(history(2000, 0, 0.02)); got > 0.012 || !ok {
		t.Errorf("none between builds: %v %v", got, ok)
	}
	bad := append(history(19, 0.02, 0.001), HistoryShift{math.NaN(), 0.1}, HistoryShift{0, math.Inf(1)}, HistoryShift{0, -1})
	if _, ok := NoiseFloor(bad); ok {
		t.Error("points without a number were counted")
	}
	for _, tt := range []struct {
		threshold, noise float64
		null, least      float64
	}{{0.05, 0, 0.0025, 0.025}, {0.02, 0, 0.0025, 0.01}, {0.05, 0.001, 0.0025, 0.025}, {0.05, 0.02, 0.02, 0.08}} {
		f := FloorFor(tt.threshold, tt.noise)
		if math.Abs(math.Expm1(f.Null)-tt.null) > 1e-12 || math.Abs(math.Expm1(f.Least)-tt.least) > 1e-12 || !(f.Slack > 0) {
			t.Errorf("%+v: %+v", tt, f)
		}
	}
}
