package trackers_test

import (
	"testing"

	"github.com/perftrack/perftrack/runner/format/formattest"
)

const bencher = `{
  "tests::a b": {
    "latency": {"value": 3000, "lower_value": 2500.5, "upper_value": 3100},
    "throughput": {"value": 8, "lower_value": null},
    "build-time": {"value": 1.5, "upper_value": 2}
  },
  "size": {"file-size": {"value": 100}, "Max Blocks": {"value": 0}},
  "no bounds": {"latency": {"value": 7.5}},
  "nothing": {}
}`

func TestBencher(t *testing.T) {
	formattest.Check(t, "bencher", bencher, `
		Unit build-ns/op better=lower
		Unit ns/op from=ns
		Unit ops/s better=higher
		Unit build-ns/op from=s
		Unit B better=lower
		Unit B from=bytes
		Unit Max_Blocks from=Max_Blocks
		tests::a_b 1 3000 ns/op 8 ops/s 1.5e+09 build-ns/op 2e+09 high-build-ns/op 2500.5 low-ns/op 3100 high-ns/op 0 summary-n
		size 1 100 B 0 Max_Blocks
		no_bounds 1 7.5 ns/op
		left out f:9: nothing: it has no measures
	`)
	formattest.Check(t, "bencher", `{"a": {"latency": {"value": -1}}, "b": {"latency": {"value": 1}}}`, `
		Unit ns/op from=ns
		error f:1: "a" is -1 ns: not a finite number of 0 or more
		b 1 1 ns/op
	`)
}

// Bounds that the value is not between are no spread.
func TestBencherBounds(t *testing.T) {
	formattest.Check(t, "bencher", `{"a": {"latency": {"value": 5, "lower_value": 7, "upper_value": 9}},
		"b": {"latency": {"value": 5, "upper_value": 4}, "misses": {"value": 3, "lower_value": 1, "upper_value": 2}},
		"c": {"latency": {"value": 5, "lower_value": 5, "upper_value": 5}}}`, `
		Unit ns/op from=ns
		left out f:1: "a": its bounds do not enclose it
		a 1 5 ns/op 0 summary-n
		left out f:2: "b": its bounds do not enclose it
		left out f:2: "b": its bounds do not enclose it
		b 1 5 ns/op 3 misses 0 summary-n
		c 1 5 ns/op 5 low-ns/op 5 high-ns/op 0 summary-n
	`)
}

func FuzzBencher(f *testing.F) { formattest.Fuzz(f, "bencher", bencher) }

func BenchmarkBencher(b *testing.B) {
	formattest.Bench(b, "bencher", `{`, `
    "tests::benchmark_of_something": {
        "latency": {
            "value": 3247.0,
            "lower_value": 1044.0,
            "upper_value": 1044.0
        },
        "throughput": {
            "value": 3247.0,
            "lower_value": 1044.0,
            "upper_value": 1044.0
        }
    }`, ",", "}")
}
