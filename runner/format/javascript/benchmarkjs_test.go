package javascript_test

import (
	"strings"
	"testing"

	"github.com/perftrack/perftrack/runner/format/formattest"
)

const benchmarkJS = `> node bench.js

fib(20) x 10,000 ops/sec ±1.5% (91 runs sampled)
a x b with 200 items x 80.5 ops/sec +-25.00% (7 runs sampled)
bad thing: 
one word                     x 2,000 ops/sec (11 runs sampled) v8-never-optimize=true min..max=(110.20ns...112.30ns)
an x too few
x x  ops/sec ±1% (1 runs sampled)
fast x Infinity ops/sec ±1% (1 runs sampled)
Fastest is fib(20)
`

func TestBenchmarkJS(t *testing.T) {
	formattest.Check(t, "benchmarkjs", benchmarkJS, `
		Unit ops/s better=higher
		Unit ops/s from=ops/sec
		fib(20) 1 10000 ops/s 9850 low-ops/s 10149.999999999998 high-ops/s 91 summary-n
		a_x_b_with_200_items 1 80.5 ops/s 60.375 low-ops/s 100.625 high-ops/s 7 summary-n
		one_word 1 2000 ops/s 11 summary-n
	`)
}

func FuzzBenchmarkJS(f *testing.F) { formattest.Fuzz(f, "benchmarkjs", benchmarkJS) }

const benchmarkSuite = `{
  "0": {"name": "a test", "options": {}, "stats": {"moe": 1e-8, "rme": 17.9, "sem": 8e-9, "deviation": 2e-8, "mean": 1.5e-7, "sample": [1.25e-7, 1.75e-7]}, "hz": 6666666},
  "1": {"name": "bad", "stats": {"moe": 0, "rme": 0, "deviation": 0, "mean": 0, "sample": []}, "hz": 0, "error": {}, "aborted": true},
  "2": {"name": "cut", "stats": {"rme": 1, "deviation": 1e-3, "mean": 2e-3, "sample": []}},
  "name": "suite", "options": {}, "length": 3, "events": {"cycle": [null]}, "running": false
}`

const benchmarkList = `[{"name": "a", "hz": 1, "stats": {"rme": 17.9, "mean": 1, "sample": [0.5, 1.5]}}]`

func TestBenchmarkJSON(t *testing.T) {
	formattest.Check(t, "benchmarkjs-json", benchmarkSuite, `
		Unit ns/op from=s
		a_test 1 125 ns/op
		a_test 1 175 ns/op
		left out f:3: bad: it failed or did not run
		cut 1 2e+06 ns/op 1e+06 sd-ns/op 0 summary-n
	`)
	formattest.Check(t, "benchmarkjs-json", benchmarkList, `
		Unit ns/op from=s
		a 1 5e+08 ns/op
		a 1 1.5e+09 ns/op
	`)
}

func FuzzBenchmarkJSON(f *testing.F) {
	formattest.Fuzz(f, "benchmarkjs-json", benchmarkSuite, benchmarkList)
}

func BenchmarkBenchmarkJSON(b *testing.B) {
	formattest.Bench(b, "benchmarkjs-json", `[`, `{"name":"RegExp#test","hz":9081460.427460728,"stats":{"moe":1.9814098190836966e-8,"rme":17.99409486259071,`+
		`"sem":8.097302080440117e-9,"deviation":2.1423447595410477e-8,"mean":1.1011444777936564e-7,`+
		`"sample":[`+strings.Repeat("1.5358095984652773e-7,", 12000)+`1.1971027474276872e-7],"variance":4.58964106873299e-16}}`, ",", "]")
}
