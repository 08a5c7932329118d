package javascript_test

import (
	"testing"

	"github.com/perftrack/perftrack/runner/format/formattest"
)

const benny = `{"name": "Ex", "date": "2026-11-28T11:46:15.364Z", "version": "1.2.0", "results": [
  {"name": "Reduce it", "ops": 4000, "margin": 12.5, "samples": 7, "percentSlower": 0},
  {"name": "two", "ops": 2000, "margin": 50, "samples": 2, "details": {"mean": 0.5, "sampleResults": [0.25, 0.75]}, "completed": true},
  {"name": "none", "ops": null, "margin": null}
], "fastest": {"name": "Reduce it", "index": 0}}`

func TestBenny(t *testing.T) {
	formattest.Check(t, "benny", benny, `
		Unit ops/s better=higher
		Unit ns/op from=s
		version: 1.2.0
		Reduce_it 1 4000 ops/s 3500 low-ops/s 4500 high-ops/s 7 summary-n
		two 1 2.5e+08 ns/op
		two 1 7.5e+08 ns/op
		left out f:4: none: it has no rate
	`)
}

func FuzzBenny(f *testing.F) { formattest.Fuzz(f, "benny", benny) }

func BenchmarkBenny(b *testing.B) {
	formattest.Bench(b, "benny", `{"name": "Ex", "results": [`, `
    {
      "name": "Reduce two elements",
      "ops": 49679979,
      "margin": 10.73,
      "options": {
        "delay": 0.005,
        "initCount": 1,
        "minTime": 0.05
      },
      "samples": 7,
      "promise": false,
      "completed": true,
      "percentSlower": 0
    }`, ",", "]}")
}

const benchNode = `[
  {"name": "a b", "runsSampled": 5, "min": "5.08us", "minNS": 5075.2, "max": "5.93us", "maxNS": 5930, "plugins": [], "opsSec": 50253},
  {"name": "second", "runsSampled": 6, "minNS": 9903, "plugins": []}
]`

const benchNodeRaw = `[{"iterations": 4004, "histogram": {"samples": 2, "min": 5075.5, "max": 5930, "sampleData": [5075.5, 5224]}, "name": "a b", "opsSec": 50252.7}]`

func TestBenchNode(t *testing.T) {
	formattest.Check(t, "bench-node", benchNode, `
		Unit ops/s better=higher
		a_b 1 50253 ops/s 5 summary-n
		left out f:3: second: it has no rate
	`)
	formattest.Check(t, "bench-node", benchNodeRaw, `
		Unit ns/op from=ns
		a_b 1 5075.5 ns/op
		a_b 1 5224 ns/op
	`)
}

func FuzzBenchNode(f *testing.F) { formattest.Fuzz(f, "bench-node", benchNode, benchNodeRaw) }

func BenchmarkBenchNode(b *testing.B) {
	formattest.Bench(b, "bench-node", `[`, `
  {
    "name": "a function of the array",
    "runsSampled": 5,
    "min": "5.08us",
    "minNS": 5075.271186440678,
    "max": "5.93us",
    "maxNS": 5930,
    "plugins": [
      "v8-never-optimize=true"
    ],
    "opsSec": 50253
  }`, ",", "]")
}
