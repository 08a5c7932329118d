package reports

import (
	"math"
	"strings"
	"testing"
)

func TestCurve(t *testing.T) {
	nan := math.NaN()
	level := func(n int, v float64) (all []float64) {
		for range n {
			all = append(all, v)
		}
		return all
	}
	join := func(parts ...[]float64) (all []float64) {
		for _, p := range parts {
			all = append(all, p...)
		}
		return all
	}
	for _, tt := range []struct {
		name   string
		values []float64
		width  int
		want   string
	}{
		{"nothing", nil, 0, ""},
		{"gaps alone", []float64{nan, nan}, 0, ""},
		{"one level", level(3, 100e-9), 0, "▁▁▁  100.0n..100.0n"},
		{"a gap", []float64{1, nan, 2}, 0, "▁ █  1.000..2.000"},
		{"a step stays one", join(level(5, 1), level(5, 2)), 0, "▁▁▁▁▁█████  1.000..2.000"},
		{"an outlier flattens nothing", join(level(3, 1), []float64{1.01, 1.02, 90, 1.03}, level(3, 1.04)), 0, "▁▁▁▃▅█▇███  1.000..90.000 (1 outside the scale 1.000..1.040)"},
		{"nor the newest", join(level(4, 1), level(4, 2), []float64{50}), 0, "▁▁▁▁█████  1.000..50.000 (1 outside the scale 1.000..2.000)"},
		{"of equal values", join(level(5, 1), []float64{50}, level(5, 1)), 0, "▄▄▄▄▄█▄▄▄▄▄  1.000..50.000 (1 outside the scale 1.000..1.000)"},
		{"the largest numbers", []float64{0, 1e308, 5e307}, 0, "▁█▅  0.0T..1.000e+308"},
		{"a low one of equal values", join(level(5, 2), []float64{1}, level(5, 2)), 0, "▄▄▄▄▄▁▄▄▄▄▄  1.000..2.000 (1 outside the scale 2.000..2.000)"},
		{"of few values any may be off", join(level(2, 2), []float64{1}, level(2, 2)), 0, "██▁██  1.000..2.000"},
		{"a huge one", join(level(3, 1e-6), []float64{1.7e299}, level(4, 1.1e-6)), 0, "▁▁▁█████  1.000µ..1.700e+299 (1 outside the scale 1.000µ..1.100µ)"},
		{"and zeros", join(level(3, 1e-6), []float64{0, 1e300}, level(4, 1.1e-6)), 0, "▁▁▁▁█████  0.000µ..1.000e+300 (2 outside the scale 1.000µ..1.100µ)"},
		{"a large one", join(level(3, 1e-6), []float64{20}, level(4, 1.1e-6)), 0, "▁▁▁█████  1.000µ..20.00 (1 outside the scale 1.000µ..1.100µ)"},
		{"narrow", join(level(50, 1), level(50, 2)), 34, "▁▁▁▁▁▁▁▁▁▁██████████  1.000..2.000"},
		{"all that there is", join(level(50, 1), level(50, 2)), 200, strings.Repeat("▁", 50) + strings.Repeat("█", 50) + "  1.000..2.000"},
	} {
		if got := (Curve{tt.values, "sec/op"}).Shown(tt.width); got != tt.want {
			t.Errorf("%s:\ngot  %s\nwant %s", tt.name, got, tt.want)
		}
	}
}
