package trackers_test

import (
	"testing"

	"github.com/perftrack/perftrack/runner/format/formattest"
)

const codSpeed = `{
  "creator": {"name": "codspeed-go", "version": "1.2.0", "pid": 77},
  "instrument": {"type": "walltime"},
  "benchmarks": [
    {"name": "BenchmarkA", "uri": "pkg/a_test.go::BenchmarkA", "config": {"warmup_time_ns": null, "max_time_ns": 1e9},
     "stats": {"min_ns": 10, "max_ns": 20, "mean_ns": 12.5, "stdev_ns": 0.25, "q1_ns": 11, "median_ns": 12, "q3_ns": 13,
       "rounds": 100, "total_time": 2, "iqr_outlier_rounds": 1, "stdev_outlier_rounds": 0, "iter_per_round": 1000, "warmup_iters": 0}},
    {"name": "only a name", "stats": {"mean_ns": 3}},
    {"name": "failed", "uri": "x::failed", "stats": null}
  ]
}`

func TestCodSpeed(t *testing.T) {
	formattest.Check(t, "codspeed", codSpeed, `
		Unit ns/op from=ns
		creator: codspeed-go
		creator-version: 1.2.0
		pkg/a_test.go::BenchmarkA 1 12.5 ns/op 0.25 sd-ns/op 100 summary-n
		only_a_name 1 3 ns/op 0 summary-n
		left out f:9: x::failed: it has no mean
	`)
}

func FuzzCodSpeed(f *testing.F) { formattest.Fuzz(f, "codspeed", codSpeed) }

func BenchmarkCodSpeed(b *testing.B) {
	formattest.Bench(b, "codspeed", `{"creator": {"name": "codspeed-go", "version": "1"}, "instrument": {"type": "walltime"}, "benchmarks": [`, `
    {
      "name": "BenchmarkOfSomething",
      "uri": "logger_bench_test.go::BenchmarkOfSomething",
      "config": {
        "warmup_time_ns": null,
        "max_rounds": null
      },
      "stats": {
        "min_ns": 5.1982421875,
        "max_ns": 3927.798583984375,
        "mean_ns": 19.122315487368752,
        "stdev_ns": 2.122315487368752,
        "rounds": 100,
        "iter_per_round": 1000
      }
    }`, ",", "]}")
}
