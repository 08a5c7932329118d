package cpp_test

import (
	"testing"

	"github.com/perftrack/perftrack/runner/format/formattest"
)

const googleBenchmark = `{
  "context": {
    "date": "2026-02-03T10:00:00+00:00",
    "host_name": "builder",
    "num_cpus": 4,
    "mhz_per_cpu": 2700,
    "caches": [{"type": "Data", "level": 1}],
    "library_build_type": "release"
  },
  "benchmarks": [
    {"name": "BM_Copy/8", "run_name": "BM_Copy/8", "run_type": "iteration", "repetitions": 2, "repetition_index": 0,
     "threads": 1, "iterations": 1000, "real_time": 12.5, "cpu_time": 12, "time_unit": "us",
     "bytes_per_second": 2500000, "items_per_second": 80000, "hits": 3},
    {"name": "BM_Copy/8", "run_name": "BM_Copy/8", "run_type": "iteration", "repetitions": 2, "repetition_index": 1,
     "threads": 1, "iterations": 1000, "real_time": 13, "cpu_time": 12.5, "time_unit": "us"},
    {"name": "BM_Copy/8_mean", "run_name": "BM_Copy/8", "run_type": "aggregate", "aggregate_name": "mean",
     "iterations": 2, "real_time": 12.75, "cpu_time": 12.25, "time_unit": "us"},
    {"name": "BM_Only_mean", "run_name": "BM_Only", "run_type": "aggregate", "repetitions": 5, "aggregate_name": "mean",
     "aggregate_unit": "time", "iterations": 5, "real_time": 2, "cpu_time": 2, "time_unit": "ms"},
    {"name": "BM_Only_stddev", "run_name": "BM_Only", "run_type": "aggregate", "repetitions": 5, "aggregate_name": "stddev",
     "aggregate_unit": "time", "iterations": 5, "real_time": 0.25, "cpu_time": 0.25, "time_unit": "ms"},
    {"name": "BM_Broken", "run_name": "BM_Broken", "error_occurred": true, "error_message": "no file", "iterations": 0}
  ]
}
`

func TestGoogleBenchmark(t *testing.T) {
	formattest.Check(t, "google-benchmark", googleBenchmark, `
		Unit ns/op from=us
		Unit cpu-ns/op better=lower
		Unit MB/s from=B/s
		Unit items/s better=higher
		cpu-count: 4
		host: builder
		library-build-type: release
		BM_Copy/8 1000 12500 ns/op 12000 cpu-ns/op 2.5 MB/s 80000 items/s 3 hits
		BM_Copy/8 1000 13000 ns/op 12500 cpu-ns/op
		left out f:22: BM_Broken: it failed: no file
		Unit ns/op from=ms
		BM_Only 1 2e+06 ns/op 2e+06 cpu-ns/op 250000 sd-ns/op 5 summary-n
	`)
}

// A count of null is unknown.
func TestGoogleBenchmarkWithoutCounts(t *testing.T) {
	formattest.Check(t, "google-benchmark", `{"context": {}, "benchmarks": [
		{"name": "A", "iterations": null, "real_time": 2, "time_unit": "ns"},
		{"name": "B_mean", "run_name": "B", "run_type": "aggregate", "repetitions": null, "aggregate_name": "mean", "iterations": 5, "real_time": 2, "time_unit": "ns"}]}`, `
		Unit ns/op from=ns
		A 1 2 ns/op
		B 1 2 ns/op 0 summary-n
	`)
}

func FuzzGoogleBenchmark(f *testing.F) { formattest.Fuzz(f, "google-benchmark", googleBenchmark) }

func BenchmarkGoogleBenchmark(b *testing.B) {
	formattest.Bench(b, "google-benchmark", `{"context": {"num_cpus": 4}, "benchmarks": [`,
		`
    {
      "name": "fib_10",
      "run_name": "fib_10",
      "run_type": "iteration",
      "repetitions": 0,
      "repetition_index": 0,
      "threads": 1,
      "iterations": 3070566,
      "real_time": 2.1498980114547953e+02,
      "cpu_time": 2.1365507206163295e+02,
      "time_unit": "ns"
    }`, ",", "]}")
}
