package javascript_test

import (
	"strings"
	"testing"

	"github.com/perftrack/perftrack/runner/format/formattest"
)

// A list of tasks as tinybench 2 has it.
const tinybench2 = `[
  {"runs": 3, "bench": {"_tasks": {}, "time": 5}, "name": "sum of 1", "opts": {}, "result":
    {"totalTime": 6.5, "min": 0.5, "max": 4, "hz": 461.5, "period": 2.1666, "samples": [0.5, 2, 4], "mean": 2.1666, "sd": 1.75, "df": 2, "rme": 200}},
  {"runs": 0, "bench": {"time": 5}, "name": "fails", "opts": {}, "result": {"error": {}}},
  {"runs": 0, "bench": {"time": 5}, "name": "never", "opts": {}}
]`

// Of versions 3 to 5: the result has the samples twice, and those of the throughput.
const tinybench4 = `[
  {"name": "sum", "result": {"critical": 2.7, "df": 1, "hz": 800,
    "latency": {"mean": 1.25, "rme": 20, "samples": [1, 1.5], "sd": 0.25},
    "mean": 1.25, "period": 1.25, "rme": 20, "runtime": "node", "runtimeVersion": "20.1.0", "samples": [1, 1.5], "sd": 0.25,
    "throughput": {"mean": 833, "samples": [666, 1000], "sd": 166}, "totalTime": 2.5},
   "runs": 2, "async": false, "bench": {"name": "suite"}, "fnOpts": {}}
]`

// Of version 6, copied by the program because tasks are empty in JSON: with and without samples.
const tinybench6 = `[
  {"name": "few", "state": "completed", "latency": {"mean": 0.25, "rme": 9, "samples": [0.125, 0.375], "samplesCount": 2, "sd": 0.125},
   "period": 0.25, "throughput": {"mean": 5000, "rme": 9, "samplesCount": 2}, "totalTime": 0.5, "runtime": "bun", "runtimeVersion": "1.2"},
  {"name": "many", "state": "completed", "latency": {"mean": 0.5, "rme": 1, "samplesCount": 70, "sd": 0.0625}, "period": 0.5, "runtime": "bun"},
  {"name": "cut", "state": "completed", "latency": {"mean": 2, "rme": 1, "samples": [1, 3], "samplesCount": 9, "sd": 1}, "period": 2},
  {"name": "odd", "state": "completed", "latency": {"mean": 2, "rme": 1, "samples": [1, null], "samplesCount": 1, "sd": 1}, "period": 2},
  {"name": "bad", "state": "errored", "error": {}, "runtime": "bun"},
  {"name": "cold", "state": "not-started"},
  {"state": "completed", "latency": {"mean": 2, "rme": 1, "samplesCount": 9, "sd": 1}, "period": 2}
]`

const tinybenchTable = `> npm run bench

[
  {"Task name": "sum", "Latency avg (ns)": "75819 ± 20.00%", "Latency med (ns)": "55963 ± 743.00",
   "Throughput avg (ops/s)": "16849 ± 4.10%", "Samples": 66},
  {"Task name": "fails", "Error": "no file", "Stack": "Error: no file\n at x"}
]`

const tinybenchTable2 = `[{"Task Name": "a b", "ops/sec": "60,811", "Average Time (ns)": 16000.5, "Margin": "±10.00%", "Samples": 1200}]`

func TestTinybench(t *testing.T) {
	formattest.Check(t, "tinybench", tinybench2, `
		Unit ns/op from=ms
		sum_of_1 1 500000 ns/op
		sum_of_1 1 2e+06 ns/op
		sum_of_1 1 4e+06 ns/op
		left out f:4: fails: it failed: see the output of the program
		left out f:5: never: it has no result:
	`)
	formattest.Check(t, "tinybench", tinybench4, `
		Unit ns/op from=ms
		runtime: node
		runtime-version: 20.1.0
		sum 1 1e+06 ns/op
		sum 1 1.5e+06 ns/op
	`)
	formattest.Check(t, "tinybench", tinybench6, `
		Unit ns/op from=ms
		runtime: bun
		runtime-version: 1.2
		few 1 125000 ns/op
		few 1 375000 ns/op
		many 1 500000 ns/op 62500 sd-ns/op 70 summary-n
		cut 1 2e+06 ns/op 1e+06 sd-ns/op 9 summary-n
		odd 1 2e+06 ns/op 1e+06 sd-ns/op 1 summary-n
		left out f:7: bad: it failed: see the output of the program
		left out f:8: cold: it has no result: not-started
		error f:9: a task has no name: print bench.tasks.map(t => ({name: t.name, ...t.result}))
	`)
	formattest.Check(t, "tinybench", tinybenchTable, `
		Unit ns/op from=ns
		sum 1 75819 ns/op 60655.200000000004 low-ns/op 90982.8 high-ns/op 66 summary-n
		left out f:6: fails: it failed: no file
	`)
	formattest.Check(t, "tinybench", tinybenchTable2, `
		Unit ns/op from=ns
		a_b 1 16000.5 ns/op 14400.45 low-ns/op 17600.550000000003 high-ns/op 1200 summary-n
	`)
}

// TestManySamples checks that a million sorted samples become a thousand values with the same mean.
func TestManySamples(t *testing.T) {
	text := `[{"name": "a", "latency": {"mean": 1, "rme": 1, "samples": [` + strings.Repeat("1,", 4095) + `1]}, "period": 1}]`
	got := formattest.Dump(t, "tinybench", text)
	if n := strings.Count(got, "a 8 1e+06 ns/op\n"); n != 512 {
		t.Errorf("%d samples of 8 iterations, want 512", n)
	}
}

func FuzzTinybench(f *testing.F) {
	formattest.Fuzz(f, "tinybench", tinybench2, tinybench4, tinybench6, tinybenchTable, tinybenchTable2)
}

func BenchmarkTinybench(b *testing.B) {
	formattest.Bench(b, "tinybench", `[`, `{"name":"sum","state":"completed","latency":{"aad":0.04830917751479513,"critical":2.059538552753303,"df":25,`+
		`"mad":0.0025720000000148957,"max":0.7062190000000328,"mean":0.07819969230769612,"min":0.05021599999997761,"rme":66.1782705969538,"samples":[`+
		strings.Repeat("0.05021599999997761,", 12000)+`0.05021599999997761],"samplesCount":12001,"sd":0.12812598171574346},"period":0.07819969230769612}`, ",", "]")
}
