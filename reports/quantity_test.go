package reports

import (
	"math"
	"testing"
)

func TestQuantity(t *testing.T) {
	for _, tt := range []struct {
		of   Quantity
		want string
	}{
		{Quantity{5.2e-5, "sec/op", 0}, "52.00 µs"},
		{Quantity{5.2e-5, "sec/op", 2}, "52 µs"},
		{Quantity{1234, "sec/op", 3}, "1,234 s"},
		{Quantity{0.99999e-3, "sec/op", 3}, "1.00 ms"},
		{Quantity{0, "sec", 0}, "0 s"},
		{Quantity{134, "ns/op", 0}, "134.0 ns"},
		{Quantity{2e-3, "max-sec/op", 2}, "2.0 ms"},
		{Quantity{512, "B/op", 0}, "512 B"},
		{Quantity{4000, "B/op", 0}, "3.906 KiB"},
		{Quantity{2048, "B/tok", 2}, "2.0 KiB/tok"},
		{Quantity{1.5e6, "B/s", 0}, "1.500 MB/s"},
		{Quantity{1204, "allocs/op", 0}, "1,204"},
		{Quantity{2.5, "allocs/op", 2}, "2.5"},
		{Quantity{12.3, "GFLOPS", 0}, "12.30 GFLOPS"},
		{Quantity{1237000, "requests/s", 0}, "1.237M requests/s"},
		{Quantity{1e30, "sec/op", 0}, "1.000e+30 s"},
		{Quantity{math.NaN(), "sec/op", 0}, "-"},
		{Quantity{math.Inf(1), "", 0}, "∞"},
	} {
		if got := tt.of.String(); got != tt.want {
			t.Errorf("%v: %q, want %q", tt.of, got, tt.want)
		}
	}
	for x, want := range map[float64]string{2e-3: "+2.000 ms", -2e-3: "-2.000 ms", 0: "0 s"} {
		if got := (Quantity{x, "sec/op", 0}).Signed(); got != want {
			t.Errorf("%v: %q, want %q", x, got, want)
		}
	}
	// Both sides of a change can be shown in the unit of the larger one.
	number, unit := Quantity{Value: 520e-6, Unit: "sec/op"}.In(1.5e-3)
	if number != "0.5200" || unit != "ms" {
		t.Errorf("%s %s", number, unit)
	}
}
