package javascript_test

import (
	"strings"
	"testing"

	"github.com/perftrack/perftrack/runner/format/formattest"
)

const mitata = `{"layout": [{"name": null, "types": []}, {"name": "group a", "types": ["g"]}],
"benchmarks": [
  {"kind": "static", "args": {}, "alias": "noop", "group": 0, "baseline": false, "runs": [
    {"stats": {"kind": "fn", "debug": "{\n}", "samples": [0.25, 0.5], "min": 0.25, "max": 0.5, "p50": 0.25, "avg": 0.375, "ticks": 8, "heap": {"_": 2, "avg": 3}},
     "args": {}, "name": "noop"}]},
  {"runs": [
    {"stats": {"kind": "yield", "debug": "", "samples": null, "min": 5, "max": 9, "avg": 6}, "args": {"n": 10, "s": "x y"}, "name": "fib(10)"},
    {"stats": {"kind": "yield", "debug": "", "samples": null, "min": 50, "max": 90, "avg": 60}, "args": {"n": 20, "s": "x y"}, "name": "fib(20)"}],
   "kind": "args", "args": {"n": [10, 20]}, "alias": "fib($n)", "group": 1},
  {"kind": "static", "args": {}, "alias": "bad", "group": 0, "runs": [{"error": {"message": "no", "stack": "Error: no\n at x"}, "args": {}, "name": "bad"}]},
  {"kind": "static", "args": {}, "alias": "none", "group": 7, "runs": [{"args": {}, "name": "none"}]}
],
"context": {"now": 1, "arch": "arm64-darwin", "version": "1.2.3", "runtime": "bun", "cpu": {"name": "Some CPU", "freq": 3.1},
  "noop": {"fn": {"kind": "fn", "samples": [1, 2]}}}}
`

func TestMitata(t *testing.T) {
	formattest.Check(t, "mitata", mitata, `
		Unit ns/op from=ns
		runtime-version: 1.2.3
		runtime: bun
		goos: darwin
		goarch: arm64
		cpu: Some CPU
		noop 1 0.25 ns/op
		noop 1 0.5 ns/op
		group_a/fib(10)/s=x_y 1 6 ns/op 5 low-ns/op 9 high-ns/op 0 summary-n
		group_a/fib(20)/s=x_y 1 60 ns/op 50 low-ns/op 90 high-ns/op 0 summary-n
		left out f:10: bad: it failed: no
		left out f:11: none: it has no result
	`)
}

func FuzzMitata(f *testing.F) { formattest.Fuzz(f, "mitata", mitata) }

func BenchmarkMitata(b *testing.B) {
	formattest.Bench(b, "mitata", `{"layout":[{"name":null,"types":[]}],"benchmarks":[`,
		`{"kind":"static","args":{},"alias":"noop","group":0,"baseline":false,"runs":[{"stats":{"kind":"fn","debug":"`+strings.Repeat(`let _ = 0;\n`, 150)+
			`","samples":[`+strings.Repeat("0.07397460936044808,0.080078125,", 6000)+`0.080078125],"min":0.06,"max":2948.88818359375,"avg":0.19762121836289656},"args":{},"name":"noop"}]}`,
		",", "]}")
}
