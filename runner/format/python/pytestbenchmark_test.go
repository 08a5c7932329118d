package python_test

import (
	"strings"
	"testing"

	"github.com/perftrack/perftrack/runner/format/formattest"
)

const pytestBenchmark = `{
  "machine_info": {"node": "builder", "machine": "x86_64", "system": "Linux", "release": "6.1.0", "python_version": "3.11.2",
    "python_implementation": "CPython", "cpu": {"brand_raw": "Fast CPU @ 3.00GHz", "count": 8, "arch": "X86_64"}},
  "commit_info": {"id": "4cf20dac6c2f1ba1dcd8dcd2e5e27dc6d5f3a4a5", "time": "2026-01-02T03:04:05+01:00",
    "author_time": "2026-01-02T03:04:05+01:00", "dirty": false, "project": "p", "branch": "main"},
  "benchmarks": [
    {"group": null, "name": "test_sort[10]", "fullname": "tests/test_sort.py::test_sort[10]", "params": {"n": 10}, "param": "10",
     "options": {"timer": "perf_counter"}, "extra_info": {},
     "stats": {"min": 2e-06, "mean": 2.5e-06, "stddev": 5e-07, "rounds": 3, "data": [2e-06, 2.5e-06, 3e-06], "iterations": 100}},
    {"name": "test_cut", "fullname": "test_cut",
     "stats": {"mean": 0.5, "stddev": 0.25, "rounds": 5000, "data": [0.5, "... omitted"], "iterations": 1}},
    {"name": "test_few", "fullname": "test_few", "stats": {"mean": 0.5, "stddev": 0, "rounds": 7, "data": [0.5, 0.5], "iterations": 2}},
    {"name": "test_summary", "fullname": "a name", "stats": {"rounds": 1, "mean": 0.001, "stddev": null, "iterations": 1}},
    {"name": "test_failed", "fullname": "test_failed", "stats": null},
    {"name": "test_odd", "fullname": "test_odd", "stats": {"rounds": 4, "mean": NaN, "iterations": 1}}
  ],
  "datetime": "2026-01-02T02:10:00", "version": "4.0.0"
}
`

func TestPytestBenchmark(t *testing.T) {
	formattest.Check(t, "pytest-benchmark", pytestBenchmark, `
		Unit ns/op from=s
		goos: linux
		goarch: amd64
		cpu: Fast CPU @ 3.00GHz
		cpu-count: 8
		host: builder
		kernel: 6.1.0
		python-version: 3.11.2
		python-implementation: CPython
		commit: 4cf20dac6c2f1ba1dcd8dcd2e5e27dc6d5f3a4a5
		branch: main
		commit-time: 2026-01-02T02:04:05Z
		tests/test_sort.py::test_sort[10] 100 2000 ns/op
		tests/test_sort.py::test_sort[10] 100 2500 ns/op
		tests/test_sort.py::test_sort[10] 100 3000 ns/op
		test_cut 1 5e+08 ns/op 2.5e+08 sd-ns/op 5000 summary-n
		test_few 2 5e+08 ns/op 0 sd-ns/op 7 summary-n
		a_name 1 1e+06 ns/op 1 summary-n
		left out f:14: test_failed: it has no statistics
		left out f:15: test_odd: it has no mean
	`)
}

// Results of a modified work tree do not belong to its commit.
func TestPytestDirty(t *testing.T) {
	text := `{"commit_info": {"id": "4cf20dac", "dirty": true, "branch": "main"}, "benchmarks": [
		{"fullname": "a", "stats": {"mean": 1, "rounds": 1}}], "machine_info": {"system": "Darwin", "cpu": {"brand": "B"}}}`
	formattest.Check(t, "pytest-benchmark", text, `
		Unit ns/op from=s
		dirty-commit: 4cf20dac
		goos: darwin
		cpu: B
		a 1 1e+09 ns/op 1 summary-n
	`)
}

func TestPytestMistakes(t *testing.T) {
	for text, want := range map[string]string{
		`{"benchmarks": []}`:   "",
		`{"benchmarks": null}`: "",
		`{"benchmarks": 5}`:    "failed f:1: expected an array, found \"5\"\n",
		"{\"benchmarks\": [\n{\"fullname\": \"a\", \"stats\": {\"mean\": -1}}]}": "error f:2: \"a\" is -1 s: not a finite number of 0 or more\n",
		`{"benchmarks": [{"stats": {"mean": 1}}]}`:                               "error f:1: a benchmark has no name\n",
		`{"benchmarks": [{"fullname": "a"`:                                       "failed f:1: the input ends in the middle of the JSON document\n",
	} {
		if got := formattest.Dump(t, "pytest-benchmark", text); got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", text, got, want)
		}
	}
}

func FuzzPytestBenchmark(f *testing.F) { formattest.Fuzz(f, "pytest-benchmark", pytestBenchmark) }

func BenchmarkPytestBenchmark(b *testing.B) {
	data := strings.TrimSuffix(strings.Repeat("2.0038430469999997e-05, ", 100), ", ")
	formattest.Bench(b, "pytest-benchmark", `{"machine_info": {}, "commit_info": {}, "benchmarks": [`,
		`{"group": null, "name": "test_fib_10", "fullname": "bench.py::test_fib_10", "params": null, "extra_info": {},
            "stats": {"min": 2.2067000000181025e-05, "mean": 2.408868133322941e-05, "rounds": 101, "data": [`+data+`]}}`, ",", "]}")
}
