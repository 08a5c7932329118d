package record_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/runner/record/runtest"
)

func TestSummary(t *testing.T) {
	for _, tt := range []struct {
		text, unit string
		want       string // "" without a summary
	}{
		{"BenchmarkX 1 120 ns/op 3 sd-ns/op 100 summary-n", "ns/op", "{120 3 NaN NaN 100}"},
		{"BenchmarkX 1 120 ns/op 110 low-ns/op 130 high-ns/op 0 summary-n", "ns/op", "{120 NaN 110 130 0}"},
		{"BenchmarkX 1 120 ns/op 100 summary-n", "ns/op", "{120 NaN NaN NaN 100}"},
		{"BenchmarkX 1 120 ns/op 3 sd-ns/op 100 summary-n", "sd-ns/op", ""},
		{"BenchmarkX 1 120 ns/op 3 sd-ns/op 100 summary-n", "summary-n", ""},
		{"BenchmarkX 1 120 ns/op 3 sd-ns/op 100 summary-n", "B/op", ""},
		{"BenchmarkX 1 120 ns/op", "ns/op", ""},
		{"BenchmarkX 1 120 ns/op 3 sd-ns/op", "ns/op", ""},
		// Each process printed a summary: their centers are samples.
		{"BenchmarkX 1 120 ns/op 3 sd-ns/op 100 summary-n\nBenchmarkX 1 130 ns/op 3 sd-ns/op 100 summary-n", "ns/op", ""},
		{"BenchmarkX 1 120 ns/op 100 summary-n\nBenchmarkX 1 130 MB/s", "ns/op", "{120 NaN NaN NaN 100}"},
		{"BenchmarkX 1 120 ns/op 100 summary-n\nBenchmarkX 1 130 MB/s", "MB/s", ""},
	} {
		b := runtest.Parse(t, tt.text+"\n")[0].Benchmarks[0]
		s, ok := b.Summary(tt.unit)
		if got := fmt.Sprint(s); ok != (tt.want != "") || ok && got != tt.want {
			t.Errorf("%s in\n%s\n%v %s, want %s", tt.unit, tt.text, ok, got, tt.want)
		}
	}
}

// Companions are known by the mark, not only by their names.
func TestSeries(t *testing.T) {
	for _, tt := range []struct{ text, units, with string }{
		{"BenchmarkX 1 120 ns/op 3 sd-ns/op 100 summary-n 8 B/op", "ns/op B/op", "ns/op sd-ns/op low-ns/op high-ns/op summary-n"},
		{"BenchmarkX 1 120 ns/op 1 low-ns/op 2 high-ns/op 100 summary-n 7 low-water-B", "ns/op low-water-B", "ns/op sd-ns/op low-ns/op high-ns/op summary-n"},
		{"BenchmarkX 1 120 ns/op 3 sd-ns/op", "ns/op sd-ns/op", "ns/op"},
	} {
		b := runtest.Parse(t, tt.text+"\n")[0].Benchmarks[0]
		var units []string
		for _, s := range b.Series() {
			units = append(units, s.Unit)
		}
		if got := strings.Join(units, " "); got != tt.units {
			t.Errorf("%s: %s, want %s", tt.text, got, tt.units)
		}
		if got := strings.Join(b.WithCompanions([]string{"ns/op"}), " "); got != tt.with {
			t.Errorf("%s: %s, want %s", tt.text, got, tt.with)
		}
		if len(b.Samples) != len(strings.Fields(tt.text))/2-1 || slices.ContainsFunc(b.Samples, func(s record.Samples) bool { return len(s.Values) != 1 }) {
			t.Errorf("%s: samples were lost: %v", tt.text, b.Samples)
		}
	}
}
