package reports

import (
	"bytes"
	"math"
	"regexp"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/compare"
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
		{shortPercent(1e300), ">+999999%"},
		{longer(0.5), "50.0%"},
		{longer(1e300), "more than 999999%"},
		{Interval(compare.Summary{Center: 1, Lo: 1, Hi: 1e300}), "± >999999%"},
		{Interval(compare.Summary{Center: 1, Lo: 1, Hi: 2}), "± 100%"},
		{fixed(1e300), "1.000e+300"},
		{fixed(12345.678), "12,345.68"},
		{nanos(1e300), "1.000e+291s"},
	} {
		if tt.got != tt.want {
			t.Errorf("%q, want %q", tt.got, tt.want)
		}
	}
}

// Whatever a file holds, no report has a number in it that nobody can read.
func TestReportsOfAbsurdNumbers(t *testing.T) {
	long := regexp.MustCompile(`\d{20}`)
	for _, centers := range [][2]float64{{1, 1e300}, {1e300, 1}, {1e-300, 1e300}, {1e305, 1.1e305}, {0, 1e300}} {
		text := func(center float64) *record.Run {
			return run(t, vary(10, "A", 40, center, "ns/op", center, "B/op", center, "GFLOPS", center, "MB/s")+
				vary(10, "B", 1, 100.0, "ns/op", 1.0, "B/op")+vary(10, "C", 0, 1.0, "ns/op", 1e300, "allocs/op")+vary(10, "D", 0, 1.0, "ns/op", 1e300, "allocs/op"))
		}
		base, head := trial(side("base", "a", text(centers[0])), side("head", "b", text(centers[1])))
		for name, write := range map[string]func(*bytes.Buffer, Report) error{
			"terminal": func(b *bytes.Buffer, r Report) error { return Text(b, r, TextOptions{}) },
			"markdown": func(b *bytes.Buffer, r Report) error { return Markdown(b, r) },
		} {
			var b bytes.Buffer
			if err := write(&b, Comparison(compare.Compare(base, head, compare.Options{}))); err != nil {
				t.Fatal(err)
			}
			for line := range strings.Lines(b.String()) {
				if long.MatchString(line) {
					t.Errorf("%s of %g and %g: %s", name, centers[0], centers[1], line)
				}
			}
		}
	}
}
