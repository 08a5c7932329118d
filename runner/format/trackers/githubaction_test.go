package trackers_test

import (
	"strings"
	"testing"

	"github.com/perftrack/perftrack/runner/format/formattest"
)

// actionData has an entry of each tool, as extract.ts of the action writes it.
const actionData = `window.BENCHMARK_DATA = {
  "lastUpdate": 1770112800000,
  "repoUrl": "https://example.com/o/r",
  "entries": {
    "Go Benchmark": [
      {
        "commit": {
          "author": {"name": "A"}, "id": "1111111111111111111111111111111111111111", "message": "one {\n",
          "timestamp": "2026-02-03T11:00:00+01:00", "url": "https://example.com/c/1"
        },
        "date": 1770112811123,
        "tool": "go",
        "benches": [
          {"name": "BenchmarkFib10", "value": 325.5, "unit": "ns/op", "extra": "5000000 times\n8 procs"},
          {"name": "BenchmarkCopy/small (example.com/a/b)", "value": 12, "unit": "ns/op\t 80 B/op\t  1 allocs/op", "extra": "100 times"},
          {"name": "BenchmarkCopy/small (example.com/a/b) - ns/op", "value": 12, "unit": "ns/op", "extra": "100 times"},
          {"name": "BenchmarkCopy/small (example.com/a/b) - B/op", "value": 80, "unit": "B/op", "extra": "100 times"},
          {"name": "BenchmarkCopy/small (example.com/a/b) - allocs/op", "value": 1, "unit": "allocs/op", "extra": "100 times"}
        ]
      }
    ],
    "Rust  Benchmark": [
      {
        "commit": {"id": "2222222222222222222222222222222222222222", "timestamp": "2026-02-04T10:00:00Z"},
        "date": 1770112811123, "tool": "cargo",
        "benches": [{"name": "bench_fib_10", "value": 149, "range": "± 2", "unit": "ns/iter"}]
      },
      {
        "commit": {"id": "not-a-hash", "timestamp": "2026-02-04T10:00:00Z"},
        "date": 1770112811123, "tool": "cargo", "benches": [{"name": "x", "value": 1, "unit": "ns/iter"}]
      },
      {
        "commit": {"id": "2222222222222222222222222222222222222223"},
        "date": 1770112811123, "tool": "newtool", "benches": [{"name": "x", "value": 1, "unit": "ns/iter"}]
      },
      {"date": 1770112811123, "tool": "cargo", "benches": []}
    ],
    "": [
      {
        "commit": {"id": "3333333333333333333333333333333333333333"}, "date": 1770112811123, "tool": "pytest",
        "benches": [
          {"name": "bench.py::test_fib", "value": 2000, "unit": "iter/sec", "range": "stddev: 0.00002", "extra": "mean: 500 usec\nrounds: 120"}
        ]
      },
      {
        "commit": {"id": "3333333333333333333333333333333333333334"}, "date": 1770112811123, "tool": "benchmarkjs",
        "benches": [{"name": "fib(20) now", "value": 1000, "range": "±1.5%", "unit": "ops/sec", "extra": "90 samples"}]
      },
      {
        "commit": {"id": "3333333333333333333333333333333333333335"}, "date": 1770112811123, "tool": "googlecpp",
        "benches": [{"name": "fib_10", "value": 0.2, "unit": "us/iter", "extra": "iterations: 3000\ncpu: 0.19 us\nthreads: 1"}]
      },
      {
        "commit": {"id": "3333333333333333333333333333333333333336"}, "date": 1770112811123, "tool": "catch2",
        "benches": [{"name": "Fibonacci 10", "value": 344, "range": "± 19", "unit": "ns", "extra": "100 samples\n208 iterations"}]
      },
      {
        "commit": {"id": "3333333333333333333333333333333333333337"}, "date": 1770112811123, "tool": "julia",
        "benches": [{"name": "fib/10", "value": 450, "unit": "ns", "extra": "gctime=0\nmemory=16\nallocs=1\nparams={\"samples\":10000}"}]
      },
      {
        "commit": {"id": "3333333333333333333333333333333333333338"}, "date": 1770112811123, "tool": "jmh",
        "benches": [
          {"name": "org.a.B.c", "value": 3.5, "unit": "ops/us", "extra": "iterations: 5\nforks: 2\nthreads: 1"},
          {"name": "org.a.B.d", "value": 2, "unit": "us/op", "extra": "iterations: 5\nforks: 1\nthreads: 1"}
        ]
      },
      {
        "commit": {"id": "3333333333333333333333333333333333333339"}, "date": 1770112811123, "tool": "benchmarkdotnet",
        "benches": [{"name": "Sample.Fib(n: 10)", "value": 24.4, "unit": "ns", "range": "± 0.25"}]
      },
      {
        "commit": {"id": "333333333333333333333333333333333333333A"}, "date": 1770112811123, "tool": "customBiggerIsBetter",
        "benches": [
          {"name": "throughput", "value": "70.5", "unit": "Percent", "range": "3 %", "extra": "note"},
          {"name": "deadline", "value": 4, "unit": "ms"},
          {"name": "lost", "value": null, "unit": "Percent"},
          {"name": "minus", "value": -1, "unit": "Percent"},
          {"name": "long", "value": 1, "unit": "a unit of more than thirty-two bytes"},
          {"name": "bare", "value": 1, "unit": ""}
        ]
      },
      {
        "commit": {"id": "333333333333333333333333333333333333333b"}, "date": 1770112811123, "tool": "customSmallerIsBetter",
        "benches": [
          {"name": "size", "value": 2, "unit": "kB"},
          {"name": "errors", "value": 3, "unit": "Percent", "range": "± 1"}
        ]
      }
    ]
  }
}`

func TestGitHubActionData(t *testing.T) {
	formattest.Check(t, "github-action-benchmark-data", actionData, `
		suite: Go Benchmark
		commit: 1111111111111111111111111111111111111111
		commit-time: 2026-02-03T10:00:00Z
		Fib10-8 5000000 325.5 ns/op
		pkg: example.com/a/b
		Copy/small 100 12 ns/op 80 B/op 1 allocs/op
		Unit ns/op from=ns/iter
		suite: Rust Benchmark
		commit: 2222222222222222222222222222222222222222
		commit-time: 2026-02-04T10:00:00Z
		pkg:
		bench_fib_10 1 149 ns/op 147 low-ns/op 151 high-ns/op 0 summary-n
		left out f:29: "not-a-hash": this is no hash of a commit
		left out f:33: 222222222222: its tool is unknown: "newtool"
		left out f:36: : the entry names no commit
		Unit ops/s better=higher
		Unit ops/s from=iter/sec
		suite: Benchmark
		commit: 3333333333333333333333333333333333333333
		commit-time: 2026-02-03T10:00:11Z
		bench.py::test_fib 1 2000 ops/s 80 sd-ops/s 120 summary-n
		Unit ops/s from=ops/sec
		commit: 3333333333333333333333333333333333333334
		fib(20)_now 1 1000 ops/s 985 low-ops/s 1015 high-ops/s 90 summary-n
		Unit ns/op from=us/iter
		Unit cpu-ns/op better=lower
		commit: 3333333333333333333333333333333333333335
		fib_10 3000 200 ns/op 190 cpu-ns/op
		Unit ns/op from=ns
		commit: 3333333333333333333333333333333333333336
		Fibonacci_10 1 344 ns/op 100 summary-n
		commit: 3333333333333333333333333333333333333337
		fib/10 1 450 ns/op 16 B/op 1 allocs/op
		Unit ops/s from=ops/us
		commit: 3333333333333333333333333333333333333338
		org.a.B.c 1 3.5e+06 ops/s 10 summary-n
		Unit ns/op from=us/op
		org.a.B.d 1 2000 ns/op 5 summary-n
		commit: 3333333333333333333333333333333333333339
		Sample.Fib(n:_10) 1 24.4 ns/op 0.25 sd-ns/op 0 summary-n
		Unit Percent better=higher
		commit: 333333333333333333333333333333333333333a
		throughput 1 70.5 Percent 68.385 low-Percent 72.615 high-Percent 0 summary-n
		Unit ns-per-op-higher better=higher
		Unit ns-per-op-higher from=ms
		deadline 1 4e+06 ns-per-op-higher
		left out f:77: "lost": it has no value
		left out f:78: "minus": its value is negative
		left out f:79: "long": its unit is longer than the limit of 32 bytes
		Unit value better=higher
		bare 1 1 value
		Unit B better=lower
		Unit B from=kB
		commit: 333333333333333333333333333333333333333b
		size 1 2000 B
		Unit Percent-lower better=lower
		Unit Percent-lower from=Percent
		errors 1 3 Percent-lower 2 low-Percent-lower 4 high-Percent-lower 0 summary-n
	`)
}

// The document alone, with its keys sorted, says the same.
func TestGitHubActionDataSorted(t *testing.T) {
	formattest.Check(t, "github-action-benchmark-data", `{"entries": {"Benchmark": [
		{"benches": [{"name": "x y", "unit": "ms", "value": 2}],
		 "commit": {"id": "4444444444444444444444444444444444444444", "timestamp": "2026-02-03T10:00:00Z"},
		 "date": 1770112811123, "tool": "customSmallerIsBetter"}
	]}}`, `
		Unit ns/op from=ms
		suite: Benchmark
		commit: 4444444444444444444444444444444444444444
		commit-time: 2026-02-03T10:00:00Z
		x_y 1 2e+06 ns/op
	`)
	for text, want := range map[string]string{
		"window.BENCHMARK_DATA=\n\n{\"entries\": {\"B\": [{\"benches\": 3}]}}":        "failed f:3: expected an array, found \"3\"\n",
		"window.BENCHMARK_DATA = {\"entries\": {}}":                                   "",
		"window.BENCHMARK_DATA = {\"entries\": {}};":                                  "",
		"window.BENCHMARK_DATA = {\"entries\": {}} ;\r\n \n":                          "",
		"window.BENCHMARK_DATA = {\"entries\": {}}; x":                                "failed f:1: invalid JSON: invalid character ';' at start of value\n",
		"{\"entries\": {\"B\": [{\"benches\": [{\"value\": 1, \"unit\": \"s\"}]}]}};": "left out f:1: : its tool is unknown: \"\"\nfailed f:1: invalid JSON: invalid character ';' at start of value\n",
		"window.BENCHMARK_DATA = {\"entries\": {\"B\": null}}":                        "",
		"window.BENCHMARK_DATA = ":                                                    "failed f:1: the input ends in the middle of the JSON document\n",
	} {
		formattest.Check(t, "github-action-benchmark-data", text, want)
	}
	long := `{"entries": {"B": [{"benches": [` + strings.Repeat(`{"name": "x", "unit": "ms", "value": 2},`, 200_000) + `]}]}}`
	if got := formattest.Dump(t, "github-action-benchmark-data", long); !strings.Contains(got, "an entry is longer than the limit of 16 MiB") {
		t.Errorf("got %.200s", got)
	}
}

// A unit gets a name of its own only if a direction that perftrack knows is contradicted.
func TestGitHubActionDirections(t *testing.T) {
	for _, tt := range []struct{ tool, unit, want string }{
		{"customSmallerIsBetter", "B", "Unit B better=lower\n%x 1 4 B"},
		{"customSmallerIsBetter", "MiB", "Unit B better=lower\nUnit B from=MiB\n%x 1 4.194304e+06 B"},
		{"customBiggerIsBetter", "bytes", "Unit B better=higher\nUnit B from=bytes\n%x 1 4 B"},
		{"customBiggerIsBetter", "ms", "Unit ns-per-op-higher better=higher\nUnit ns-per-op-higher from=ms\n%x 1 4e+06 ns-per-op-higher"},
		{"customSmallerIsBetter", "req/s", "Unit req-per-s-lower better=lower\nUnit req-per-s-lower from=req/s\n%x 1 4 req-per-s-lower"},
		{"customBiggerIsBetter", "req/s", "Unit req/s better=higher\n%x 1 4 req/s"},
		{"customSmallerIsBetter", "ms", "Unit ns/op from=ms\n%x 1 4e+06 ns/op"},
	} {
		text := `{"entries": {"S": [{"commit": {"id": "4444444"}, "tool": "` + tt.tool + `", "benches": [{"name": "x", "value": 4, "unit": "` + tt.unit + `"}]}]}}`
		formattest.Check(t, "github-action-benchmark-data", text, strings.Replace(tt.want, "%", "suite: S\ncommit: 4444444\n", 1))
	}
}

// A figure of a Go benchmark that is not stored is named.
func TestGitHubActionGoTwins(t *testing.T) {
	formattest.Check(t, "github-action-benchmark-data", `{"entries": {"S": [{"commit": {"id": "4444444"}, "tool": "go", "benches": [
		{"name": "BenchmarkX", "value": 12, "unit": "ns/op\t 80 B/op"},
		{"name": "BenchmarkX - ns/op", "value": 12, "unit": "ns/op"},
		{"name": "BenchmarkX - ns/op", "value": 13, "unit": "ns/op"},
		{"name": "BenchmarkX - B/op", "value": -5, "unit": "B/op"},
		{"name": "BenchmarkX - B/op", "value": 80, "unit": "B/op"},
		{"name": "BenchmarkX - allocs/op", "unit": "allocs/op"},
		{"name": "BenchmarkX - events", "value": 4, "unit": "events"},
		{"name": "BenchmarkX", "value": 14, "unit": "ns/op\t 80 B/op"},
		{"name": "BenchmarkX - ns/op", "value": "fast", "unit": "ns/op"},
		{"name": "BenchmarkY", "value": "fast", "unit": "ns/op"},
		{"name": "BenchmarkZ", "value": null, "unit": "ns/op"}
	]}]}}`, `
		left out f:4: "BenchmarkX - ns/op": an entry before it has the same name
		left out f:5: "BenchmarkX - B/op": another entry of the benchmark has another value in its unit
		left out f:6: "BenchmarkX - B/op": an entry before it has the same name
		left out f:7: "BenchmarkX - allocs/op": it has no value
		suite: S
		commit: 4444444
		X 1 12 ns/op 80 B/op 4 events
		left out f:10: "BenchmarkX - ns/op": another entry of the benchmark has another value in its unit
		X 1 14 ns/op 80 B/op
		left out f:11: "Y": its value is not a finite number
		left out f:12: "Z": it has no value
	`)
}

func FuzzGitHubActionData(f *testing.F) {
	formattest.Fuzz(f, "github-action-benchmark-data", actionData)
}

func BenchmarkGitHubActionData(b *testing.B) {
	formattest.Bench(b, "github-action-benchmark-data", `window.BENCHMARK_DATA = {"entries": {"Benchmark": [`, `
      {
        "commit": {
          "author": {"email": "a@example.com", "name": "A", "username": "a"},
          "committer": {"email": "a@example.com", "name": "A", "username": "a"},
          "distinct": true,
          "id": "1111111111111111111111111111111111111111",
          "message": "Make it faster",
          "timestamp": "2026-02-03T11:00:00+01:00",
          "tree_id": "1111111111111111111111111111111111111111",
          "url": "https://example.com/c/1"
        },
        "date": 1770112811123,
        "tool": "cargo",
        "benches": [
          {
            "name": "bench_fib_10",
            "value": 149,
            "range": "± 2",
            "unit": "ns/iter"
          },
          {
            "name": "bench_fib_20",
            "value": 18149,
            "range": "± 755",
            "unit": "ns/iter"
          }
        ]
      }`, ",", "]}}")
}
