package trackers_test

import (
	"testing"

	"github.com/perftrack/perftrack/runner/format/formattest"
)

const bencherExport = `{
  "project": {"uuid": "6b1e", "name": "Save Walter White", "slug": "save-walter-white"},
  "start_time": null,
  "end_time": null,
  "results": [
    {
      "branch": {"uuid": "a", "name": "main", "slug": "main", "head": {"uuid": "h"}},
      "testbed": {"uuid": "b", "name": "ci runner", "slug": "ci-runner"},
      "benchmark": {"uuid": "c", "name": "bench fib 10", "slug": "bench-fib-10"},
      "measure": {"uuid": "d", "name": "Latency", "slug": "latency", "units": "nanoseconds (ns)"},
      "metrics": [
        {
          "report": "e", "iteration": 0, "start_time": "2026-02-03T10:00:00Z", "end_time": "2026-02-03T10:01:00Z",
          "version": {"number": 1, "hash": "1111111111111111111111111111111111111111"},
          "metric": {"uuid": "f", "value": 120.5, "lower_value": 119.5, "upper_value": 122},
          "threshold": null, "boundary": null, "alert": null
        },
        {
          "report": "e2", "iteration": 0, "start_time": "2026-02-04T10:00:00Z", "end_time": "2026-02-04T10:01:00Z",
          "version": {"number": 2, "hash": "1111111111111111111111111111111111111112"},
          "metric": {"uuid": "g", "value": 130, "lower_value": null, "upper_value": null}
        },
        {
          "report": "e3", "iteration": 0, "start_time": "2026-02-05T10:00:00Z",
          "version": {"number": 3, "hash": null}, "metric": {"uuid": "g", "value": 131}
        }
      ]
    },
    {
      "branch": {"name": "main"},
      "testbed": {"name": "ci runner"},
      "benchmark": {"name": "bench fib 10"},
      "measure": {"name": "Throughput", "slug": "throughput", "units": "operations / second (ops/s)"},
      "metrics": [
        {
          "start_time": "2026-02-03T10:00:00Z",
          "version": {"number": 1, "hash": "1111111111111111111111111111111111111111"}, "metric": {"value": 8000}
        }
      ]
    },
    {
      "branch": {"name": "main"},
      "testbed": {"name": "ci runner"},
      "benchmark": {"name": "bench fib 10"},
      "measure": {"name": "L1 Accesses", "slug": "l1-accesses", "units": "accesses"},
      "metrics": [
        {
          "start_time": "2026-02-03T10:00:00Z",
          "version": {"number": 1, "hash": "1111111111111111111111111111111111111111"}, "metric": {"value": 77}
        }
      ]
    }
  ]
}
`

func TestBencherExport(t *testing.T) {
	formattest.Check(t, "bencher-export", bencherExport, `
		Unit ns/op from=ns
		machine: ci runner
		commit: 1111111111111111111111111111111111111111
		branch: main
		commit-time: 2026-02-03T10:00:00Z
		bench_fib_10 1 120.5 ns/op 119.5 low-ns/op 122 high-ns/op 0 summary-n
		commit: 1111111111111111111111111111111111111112
		commit-time: 2026-02-04T10:00:00Z
		bench_fib_10 1 130 ns/op
		left out f:25: : the entry names no commit
		Unit ops/s better=higher
		commit: 1111111111111111111111111111111111111111
		commit-time: 2026-02-03T10:00:00Z
		bench_fib_10 1 8000 ops/s
		Unit l1-accesses from=accesses
		bench_fib_10 1 77 l1-accesses
	`)
}

func FuzzBencherExport(f *testing.F) { formattest.Fuzz(f, "bencher-export", bencherExport) }

func BenchmarkBencherExport(b *testing.B) {
	formattest.Bench(b, "bencher-export", `{"results": [{
      "branch": {"name": "main"}, "testbed": {"name": "ci"}, "benchmark": {"name": "fib"},
      "measure": {"name": "Latency", "slug": "latency", "units": "nanoseconds (ns)"}, "metrics": [`, `
        {
          "report": "6e1f2d0a-0f0f-4f4f-8f8f-0123456789ab",
          "iteration": 0,
          "start_time": "2026-02-03T10:00:00Z",
          "end_time": "2026-02-03T10:01:00Z",
          "version": {
            "number": 1,
            "hash": "1111111111111111111111111111111111111111"
          },
          "metric": {
            "uuid": "6e1f2d0a-0f0f-4f4f-8f8f-0123456789ab",
            "value": 120.5,
            "lower_value": 119.5,
            "upper_value": 122
          },
          "threshold": null,
          "boundary": null,
          "alert": null
        }`, ",", "]}]}")
}
