package trackers_test

import (
	"strings"
	"testing"

	"github.com/perftrack/perftrack/runner/format/formattest"
)

const custom = `[
  {"name": "CPU load", "unit": "Percent", "value": 50, "range": "10%", "extra": "for the tooltip"},
  {"name": "Memory", "unit": "Megabytes", "value": "100"},
  {"name": "p90", "unit": "ms", "value": 20, "range": "± 3"},
  {"name": "both", "unit": "ms", "value": 20, "range": "+/-2 (10%)"},
  {"name": "rate", "unit": "ops/sec", "value": 8, "range": "stddev: 0.5"},
  {"name": "span", "unit": "ns", "value": 8, "range": "[7.5, 1,000]"},
  {"name": "text", "unit": "ns", "value": 8, "range": "about 3"},
  {"name": "not a number", "unit": "ns", "value": null},
  {"name": "no unit", "value": 3},
  {"name": "swapped", "unit": "10", "value": 3},
  {"name": "idle", "unit": "MB/s", "value": 0}
]`

const customRows = `
	CPU_load 1 50 Percent 45 low-Percent 55 high-Percent 0 summary-n
	Memory 1 100 Megabytes
	p90 1 2e+07 ns/op 1.7e+07 low-ns/op 2.3e+07 high-ns/op 0 summary-n
	both 1 2e+07 ns/op 1.8e+07 low-ns/op 2.2e+07 high-ns/op 0 summary-n
	rate 1 8 ops/s 0.5 sd-ops/s 0 summary-n
	span 1 8 ns/op 7.5 low-ns/op 1000 high-ns/op 0 summary-n
	text 1 8 ns/op 0 summary-n
	error f:9: "not a number" has no value
	error f:10: "no unit" has no unit
	error f:11: "swapped" has the unit "10", a number
	idle 1 0 MB/s
`

func TestCustom(t *testing.T) {
	formattest.Check(t, "github-action-benchmark", custom, `
		Unit ns/op from=ms
		Unit ops/s better=higher
		Unit ops/s from=ops/sec
		Unit ns/op from=ns
	`+customRows)
	formattest.Check(t, "github-action-benchmark-smaller", custom, `
		Unit Percent better=lower
		Unit Megabytes better=lower
		Unit ns/op better=lower
		Unit ns/op from=ms
		Unit ops/s better=lower
		Unit ops/s from=ops/sec
		Unit ns/op from=ns
		Unit 10 better=lower
		Unit MB/s better=lower
	`+customRows)
	formattest.Check(t, "github-action-benchmark-bigger", `[{"name": "a", "unit": "points", "value": 3}]`, `
		Unit points better=higher
		a 1 3 points
	`)
}

// The history of the action is an object, and its file a script.
func TestCustomHistory(t *testing.T) {
	for text, want := range map[string]string{
		`{"entries": {}}`: "failed f:1: expected an array, found an object: for the history, data.js, name the format github-action-benchmark-data",
		"window.BENCHMARK_DATA = {\n\"entries\": {}}": "failed f:1: this is data.js, not an array: name the format github-action-benchmark-data",
	} {
		if got := formattest.Dump(t, "github-action-benchmark", text); strings.TrimSpace(got) != want {
			t.Errorf("%s: got %s", text, got)
		}
	}
}

func TestRanges(t *testing.T) {
	for text, want := range map[string]string{
		"±3": "7 low-x 13 high-x ", "+- 3": "7 low-x 13 high-x ", "± 30": "0 low-x 40 high-x ", "± 1,000.5": "0 low-x 1010.5 high-x ",
		"5%": "9.5 low-x 10.5 high-x ", "± 5 %": "9.5 low-x 10.5 high-x ", "2 (20%)": "8 low-x 12 high-x ", "± 2 (± 20.1 %)": "8 low-x 12 high-x ",
		"std: 3": "3 sd-x ", "Standard Deviation = 1e-1": "0.1 sd-x ", "9 - 11": "9 low-x 11 high-x ", "9..11": "9 low-x 11 high-x ", "[9, 12.5]": "9 low-x 12.5 high-x ",
		// The meaning of these is not clear.
		"3": "", "2 (50%)": "", "11 - 12": "", "± 3ms": "", "±": "", "± x": "", "3 ± 1": "", "%": "", "fast": "", "1e999%": "",
	} {
		formattest.Check(t, "github-action-benchmark", `[{"name": "a", "unit": "x", "value": 10, "range": "`+text+`"}]`,
			"a 1 10 x "+want+"0 summary-n")
	}
}

func FuzzCustom(f *testing.F) { formattest.Fuzz(f, "github-action-benchmark", custom) }

func FuzzCustomBigger(f *testing.F) { formattest.Fuzz(f, "github-action-benchmark-bigger", custom) }

func FuzzCustomSmaller(f *testing.F) { formattest.Fuzz(f, "github-action-benchmark-smaller", custom) }

func BenchmarkCustom(b *testing.B) {
	formattest.Bench(b, "github-action-benchmark", `[`, `
    {
        "name": "My Custom Smaller Is Better Benchmark - CPU Load of the machine",
        "unit": "Percent",
        "value": 50,
        "range": "5%",
        "extra": "My Optional Information for the tooltip\nand a second line"
    }`, ",", "]")
}
