package dynamic_test

import (
	"strings"
	"testing"

	"github.com/perftrack/perftrack/runner/format/formattest"
)

const julia = `[
  {"Julia": "1.11.1", "BenchmarkTools": {"major": 1, "minor": 6}},
  [
    ["BenchmarkGroup", {"data": {
      "fib": ["BenchmarkGroup", {"data": {
        "10": ["Trial", {"allocs": 2, "gctimes": [0, 0], "memory": 64, "params": ["Parameters", {"gctrial": true, "evals": 100, "samples": 2}],
          "times": [12.5, 13]}],
        "20 x": ["BenchmarkTools.TrialEstimate", {"allocs": 0, "time": 31028.0, "memory": 0, "params": ["Parameters", {"evals": 1}], "gctime": 0}]
      }, "tags": []}],
      "none": ["Trial", {"allocs": 0, "memory": 0, "times": []}],
      "odd": ["Trial", {"times": [1, "2"]}],
      "ratio": ["TrialRatio", {"time": 0.5}]
    }, "tags": ["a"]}],
    ["Trial", {"times": [1]}],
    ["Parameters", {"evals": 1}]
  ]
]`

func TestJulia(t *testing.T) {
	formattest.Check(t, "benchmarktools", julia, `
		Unit ns/op from=ns
		Unit B/op from=bytes
		julia-version: 1.11.1
		fib/10 100 12.5 ns/op 64 B/op 2 allocs/op
		fib/10 100 13 ns/op
		fib/20_x 1 31028 ns/op 0 B/op 0 allocs/op
		left out f:10: none: it has no times
		error f:11: odd has times that are no numbers
		error f:14: a trial has no name: save a BenchmarkGroup
	`)
	deep := `[{"Julia": "1", "BenchmarkTools": "1"}, [` + strings.Repeat(`["BenchmarkGroup", {"data": {"a": `, 70)
	if got := formattest.Dump(t, "benchmarktools", deep); !strings.Contains(got, "f:1: groups are nested more than 64 deep") {
		t.Error(got)
	}
}

func FuzzJulia(f *testing.F) { formattest.Fuzz(f, "benchmarktools", julia) }

func BenchmarkJulia(b *testing.B) {
	formattest.Bench(b, "benchmarktools", `[{"Julia":"1.11.1","BenchmarkTools":"1.6.0"},[["BenchmarkGroup",{"data":{`,
		`"name":["Trial",{"allocs":0,"gctimes":[`+strings.Repeat("0.0,", 999)+`0.0],"memory":0,"params":["Parameters",{"gctrial":true,"evals":100}],"times":[`+
			strings.Repeat("31028.017578125,", 20000)+`31028.5]}]`, ",", "}}]]]")
}

const ips = `[
  {"name": "a + b", "central_tendency": 36137000.5, "ips": 36137000.5, "error": 325000, "stddev": 325000, "microseconds": 5019000.0, "iterations": 181500000, "cycles": 3610000},
  {"name": "none", "ips": null, "stddev": 0, "cycles": 1}
]`

func TestIPS(t *testing.T) {
	formattest.Check(t, "benchmark-ips", ips, `
		Unit ops/s better=higher
		Unit ops/s from=i/s
		a_+_b 1 3.61370005e+07 ops/s 325000 sd-ops/s 0 summary-n
		left out f:3: none: it has no rate
	`)
}

func FuzzIPS(f *testing.F) { formattest.Fuzz(f, "benchmark-ips", ips) }

func BenchmarkIPS(b *testing.B) {
	formattest.Bench(b, "benchmark-ips", "[", `
  {
    "name": "a function of the array",
    "central_tendency": 36137000.512345,
    "ips": 36137000.512345,
    "error": 325000,
    "stddev": 325000,
    "microseconds": 5019000.0,
    "iterations": 181500000,
    "cycles": 3610000
  }`, ",", "]")
}

const dart = `Building package executable...
Template(RunTime): 0.15 us.
For Loop(RunTime): 2000.5 us.
Template(RunTime): 0.25 us.
Other(RunTime): fast us.
Other(RunTime): 3 days.
(RunTime): 3 us.
`

func TestDart(t *testing.T) {
	formattest.Check(t, "benchmark-harness", dart, `
		Unit ns/op from=us
		Template 1 150 ns/op
		For_Loop 1 2.0005e+06 ns/op
		Template 1 250 ns/op
	`)
}

func FuzzDart(f *testing.F) { formattest.Fuzz(f, "benchmark-harness", dart) }
