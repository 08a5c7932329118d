package github

import (
	"math"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/stat"
)

func TestSizes(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, tt := range []struct {
		unit           string
		center, lo, hi float64
		want           string
	}{
		{"sec/op", 3.2, 1.4, 4.8, "4.2x as slow, 2.4 to 5.8"},
		{"sec/op", 0.12, 0.09, 0.15, "+12 %, 9 to 15"},
		{"sec/op", 0.316, 0.308, 0.326, "+32 %, 31 to 33"},
		{"sec/op", 0.0512, 0.0490, 0.0530, "+5.1 %, 4.9 to 5.3"},
		{"sec/op", 0.006, 0.002, 0.012, "+0.6 %, 0.2 to 1.2"}, // a proven change, so the interval does not begin at 0
		{"sec/op", -0.172, -0.177, -0.166, "-17 %, 17 to 18"},
		{"sec/op", -0.6, -0.62, -0.58, "2.5x as fast, 2.4 to 2.6"},
		{"sec/op", 0.02, -0.03, 0.08, "+2 %, -3 to +8"},
		{"sec/op", 43, 42, 44, "44x as slow, 43 to 45"},
		{"sec/op", 1e9, 1e9, 1e10, "over 9,999x as slow"},
		{"sec/op", 0.12, -inf, inf, "about +12 %"},
		{"sec/op", nan, nan, nan, "about +50 %"},
		{"GFLOPS", -0.2, -0.21, -0.19, "-20 %, 19 to 21"},
		{"tok/s", 1.5, 1.4, 1.6, "2.5x as fast, 2.4 to 2.6"},
		{"B/op", 4, 3.9, 4.1, "5.0x as much, 4.9 to 5.1"},
		{"B/op", -0.62, -0.63, -0.61, "-62 %, 61 to 63"},
	} {
		r := &compare.Row{Unit: tt.unit, Delta: 0.5}
		r.Shift = stat.Shift{Center: tt.center, Lo: tt.lo, Hi: tt.hi}
		if got := strings.ReplaceAll(sizeOf(r).String(), "\n", " "); got != tt.want {
			t.Errorf("%s %v [%v, %v]: %q, want %q", tt.unit, tt.center, tt.lo, tt.hi, got, tt.want)
		}
	}
	for center, want := range map[float64]string{1: "+1 alloc", 2: "+2 allocs", -3: "-3 allocs"} {
		r := &compare.Row{Unit: "allocs/op"}
		r.Exact, r.Shift = true, stat.Shift{Center: center, Lo: center, Hi: center, Absolute: true}
		if got := sizeOf(r).String(); got != want {
			t.Errorf("%v: %q, want %q", center, got, want)
		}
	}
}

func TestAmounts(t *testing.T) {
	for _, tt := range []struct {
		unit       string
		base, head float64
		noise      float64 // half the width of the interval, as a fraction
		want       string
	}{
		{"sec/op", 980e-9, 1290e-9, 0.01, "0.980 → 1.29 µs"},
		{"sec/op", 980e-9, 44.73e-6, 0.01, "0.980 → 44.7 µs"},
		{"sec/op", 1e-9, 1, 0.01, "1.00 ns → 1.00 s"},
		{"sec/op", 1.2e-3, 5.04e-3, 0.3, "1.2 → 5.0 ms"},
		{"sec/op", 9.9999e-6, 12e-6, 0.01, "10.0 → 12.0 µs"},
		{"sec/tok", 1e-3, 2e-3, 0.01, "1.00 → 2.00 ms/tok"},
		{"sec/op", 0, 1e-9, 0, "0 → 1.00 ns"},
		{"allocs/op", 0, 1, 0, "0 → 1"},
		{"allocs/op", 12345, 12345, 0, "12,345"},
		{"allocs/op", 0, 0, 0, "0"},
		{"B/op", 0, 64, 0, "0 → 64 B"},
		{"B/op", 1 << 20, 5 << 20, 0, "1.00 → 5.00 MiB"},
		{"B/s", 25e6, 60e6, 0.01, "25.0 → 60.0 MB/s"},
		{"GFLOPS", 25, 20, 0.01, "25.0 → 20.0 GFLOPS"},
		{"tok/s", 12345, 22345, 0.01, "12.3k → 22.3k tok/s"},
		{"@all/<b>", 1, 2, 0.01, "1.00 → 2.00 <code>@all/&lt;b&gt;</code>"},
		{"sec/op", 1e300, 1e307, 0.01, "1.00e+300 → 1.00e+307 s"},
	} {
		side := func(x float64) compare.Summary {
			return compare.Summary{Center: x, Lo: x * (1 - tt.noise), Hi: x * (1 + tt.noise), N: 10}
		}
		got := strings.ReplaceAll(amounts(&compare.Row{Unit: tt.unit, Base: side(tt.base), Head: side(tt.head)}), "\n", " ")
		if got != tt.want {
			t.Errorf("%s %v %v: %q, want %q", tt.unit, tt.base, tt.head, got, tt.want)
		}
	}
}

func TestFold(t *testing.T) {
	for name, want := range map[string]string{
		"Sort":                               "Sort",
		"Serve/path=/v1/users/by-region":     "Serve/path=/v1/|users/by-region",
		"ServeWithoutAnySlash_in-hyphens":    "ServeWithoutAny|Slash_in-hyphens",
		"日本語日本語日本語日本語":                       "日本語日本語日本|語日本語",
		"aaaaaaaaaaaaaaaaaaaa-bbbbbbbbbbbbb": "aaaaaaaaaaaaaaaa|aaaa-bbbbbbbbbbb|bb",
	} {
		if got := strings.Join(fold(name, 16), "|"); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

// Each change is written with its unit.
func TestLabelled(t *testing.T) {
	for _, tt := range []struct {
		unit, want string
		absolute   bool
	}{
		{"sec/op", "time +39 %, 35 to 41", false},
		{"allocs/op", "allocs +39 %, 35 to 41", false},
		{"B/op", "B +39 %, 35 to 41", false},
		{"p99-latency-sec", "<code>p99-latency-sec</code> +39 %, 35 to 41", false},
		{"allocs/op", "+2 allocs", true},
		{"B/op", "+2 B", true},
	} {
		r := &compare.Row{Unit: tt.unit}
		r.Shift = stat.Shift{Center: 0.39, Lo: 0.35, Hi: 0.41}
		if tt.absolute {
			r.Shift = stat.Shift{Center: 2, Lo: 2, Hi: 2, Absolute: true}
		}
		if got := strings.ReplaceAll(labelled(r), "\n", " "); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.unit, got, tt.want)
		}
	}
}
