package reports

import (
	"math"
	"testing"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/stat"
	"github.com/perftrack/perftrack/runner/record"
)

func TestAbsurdNumbers(t *testing.T) {
	for _, tt := range []struct{ got, want string }{
		{ScaleFor("sec/op", 1e17).Format(1e17), "100000.0T"},
		{ScaleFor("sec/op", 1e-6).Format(2), "2000000.000µ"},
		{ScaleFor("sec/op", 1e18).Format(1e18), "1.000e+18"},
		{ScaleFor("sec/op", 1e-6, 1e299).Format(1e299), "1.000e+299"},
		{ScaleFor("sec/op", 1e-9, 1e10).Format(1e10), "1.000e+10"},
		{ScaleFor("B/op", 1, 1e308).Format(-1e308), "-1.000e+308"},
		{ScaleFor("GFLOPS", 1e308).Format(1e308), "1.000e+308"},
		{ScaleFor("sec/op", 1e-300).Format(1e-300), "0.0000000000n"},
		{Percent(0.05), "+5.00%"},
		{Percent(9999.99), "+999999.00%"},
		{Percent(10_000), ">+999999%"},
		{Percent(math.MaxFloat64), ">+999999%"},
		{Percent(-1e300), "<-999999%"},
		{Portion(0.0112), "1.1 %"},
		{Portion(0.0025), "0.25 %"},
		{Portion(0.2249), "22 %"},
		{Portion(1e-9), "<0.01 %"},
		{Portion(0), "0 %"},
		{Portion(1e300), ">999999 %"},
		{PlainChange(1e300), ">+999999 %"},
		{PlainChange(math.Inf(1)), "?"},
		{Share(1, 8), "12.5 %"},
		{Share(1, 0), "-"},
		{Interval(compare.Summary{Center: 1, Lo: 1, Hi: 1e300}), "± >999999%"},
		{Interval(compare.Summary{Center: 1, Lo: 1, Hi: 2}), "± 100%"},
		{Fixed(1e300), "1.000e+300"},
		{Fixed(12345.678), "12,345.68"},
	} {
		if tt.got != tt.want {
			t.Errorf("%q, want %q", tt.got, tt.want)
		}
	}
}

// The width of a change's interval determines the number of digits, and a percentage of 0 has no
// sign.
func TestEstimateCell(t *testing.T) {
	inf := math.Inf(1)
	for _, tt := range []struct {
		shift stat.Shift
		exact bool
		want  string
	}{
		{stat.Shift{Center: 0.0512, Lo: 0.0421, Hi: 0.06}, false, "+5.1 % [+4.2, +6.0]"},
		{stat.Shift{Center: -0.00004, Lo: -0.0171, Hi: 0.0174}, false, "0.0 % [-1.7, +1.7]"},
		{stat.Shift{Center: 0.00212, Lo: 0.00201, Hi: 0.00224}, false, "+0.21 % [+0.20, +0.22]"},
		{stat.Shift{}, false, "0.0 % [0.0, 0.0]"},
		{stat.Shift{Center: 0.3, Lo: -1, Hi: inf}, false, "+30.0 %"},
		{stat.Shift{Center: 0.125, Lo: 0.125, Hi: 0.125}, true, "+12.5 % (exact)"},
		{stat.Shift{Center: 1e-6, Lo: 1e-6, Hi: 1e-6}, true, "+0.0001 % (exact)"},
		{stat.Shift{Center: 1, Lo: 1, Hi: 1, Absolute: true}, true, "+1 (exact)"},
		{stat.Shift{Center: -0.25, Lo: -0.5, Hi: 0, Absolute: true}, false, "-250.0m [-500.0m, +0]"},
		{stat.Shift{Center: math.NaN(), Lo: -inf, Hi: inf}, false, ""},
	} {
		if got := EstimateCell("allocs/op", tt.shift, tt.exact).Shown(); got != tt.want {
			t.Errorf("%+v shown as %q, want %q", tt.shift, got, tt.want)
		}
	}
}

func TestScaler(t *testing.T) {
	for _, tt := range []struct {
		unit string
		x    float64
		want string
	}{
		{"sec/op", 1.718e-6, "1.718µ"},
		{"B/op", 4096, "4.000Ki"},
		{"B/s", 512e6, "488.3Mi"},
		{"tok/s", 12000, "12.00k"},
		{"GFLOPS", 12.345, "12.35"},
		{"GFLOPS", 123.45, "123.5"},
		{"GFLOPS", 1234.5, "1234"},
		{"GFLOPS", 0.0421, "0.04210"},
		{"GFLOPS", 0, "0.000"},
	} {
		if got := ScaleFor(tt.unit, tt.x).Format(tt.x); got != tt.want {
			t.Errorf("%v %s shown as %s, want %s", tt.x, tt.unit, got, tt.want)
		}
	}
}

func TestWithCommas(t *testing.T) {
	for number, want := range map[string]string{"0": "0", "999": "999", "1000": "1,000", "1234567": "1,234,567", "-1234.5": "-1,234.5"} {
		if got := WithCommas(number); got != want {
			t.Errorf("%s is %s, want %s", number, got, want)
		}
	}
}

// The deviation of skewed samples may be larger than their mean.
func TestSpreadOfSummary(t *testing.T) {
	for _, tt := range []struct {
		told record.Summary
		want string
	}{
		{record.Summary{Center: 100, SD: 3, Low: math.NaN(), High: math.NaN(), N: 100}, "(± 3% sd, n=100)"},
		{record.Summary{Center: 100, SD: 970, Low: math.NaN(), High: math.NaN(), N: 5}, "(± 970% sd, n=5)"},
		{record.Summary{Center: 100, SD: math.NaN(), Low: 90, High: 120}, "(± 20% as printed, n unknown)"},
		{record.Summary{Center: 100, SD: math.NaN(), Low: math.NaN(), High: math.NaN(), N: 7}, "(n=7)"},
	} {
		if got := Interval(compare.Summary{Center: 100, Told: &tt.told}); got != tt.want {
			t.Errorf("got %s, want %s", got, tt.want)
		}
	}
}
