package python_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/runner/format"
	"github.com/perftrack/perftrack/runner/format/formattest"
)

const asvResults = `{"commit_hash": "4cf20dac6c2f1ba1dcd8dcd2e5e27dc6d5f3a4a5", "env_name": "virtualenv-py3.11-numpy", "date": 1767323045000,
"params": {"arch": "x86_64", "cpu": "Fast CPU", "machine": "builder", "num_cpu": "4", "os": "Linux 6.1.0", "ram": "8", "python": "3.11", "numpy": ""},
"python": "3.11", "requirements": {"numpy": ""}, "env_vars": {},
"result_columns": ["result", "params", "version", "started_at", "duration", "stats_ci_99_a", "stats_ci_99_b", "stats_q_25", "stats_q_75", "stats_number", "stats_repeat", "samples", "profile"],
"results": {
"bench.Suite.time_sort": [[1e-05, 2e-05, NaN, null], [["10", "100"], ["'a'", "'b c'"]], "v", 17, 1.5, [9e-06, 1.5e-05, null, null], [1.1e-05, Infinity, null, null], null, null, [50, 20, null, null], [2, 3, null, null], [[9e-06, 1.1e-05], null, null, null]],
"bench.time_plain": [[0.5], [], "v", 17, 1.5, [0.25], [0.75], [0.4], [0.6], [1], [10]],
"bench.peakmem_list": [[2048], [], "v"],
"bench.track_nodes": [[7], []],
"bench.time_failed": [null, [], "v"],
"bench.time_cut": [[1, 2], [["1", "2", "3"]]]
}, "durations": {"<build>": 3.5}, "version": 2}
`

func TestASV(t *testing.T) {
	formattest.Check(t, "asv", asvResults, `
		Unit ns/op from=seconds
		Unit B better=lower
		Unit B from=bytes
		goos: linux
		goarch: amd64
		cpu: Fast CPU
		cpu-count: 4
		host: builder
		commit: 4cf20dac6c2f1ba1dcd8dcd2e5e27dc6d5f3a4a5
		commit-time: 2026-01-02T03:04:05Z
		python-version: 3.11
		pkg: virtualenv-py3.11-numpy
		bench.Suite.time_sort(10,'a') 50 9000 ns/op
		bench.Suite.time_sort(10,'a') 50 11000 ns/op
		bench.Suite.time_sort(10,'b_c') 1 20000 ns/op 15000 low-ns/op 3 summary-n
		left out f:6: bench.Suite.time_sort(100,'a'): it failed or was skipped
		left out f:6: bench.Suite.time_sort(100,'b c'): it failed or was skipped
		bench.time_plain 1 5e+08 ns/op 2.5e+08 low-ns/op 7.5e+08 high-ns/op 10 summary-n
		bench.peakmem_list 1 2048 B
		bench.track_nodes 1 7 unit
		left out f:10: bench.time_failed: it failed or was skipped
		error f:11: bench.time_cut has 2 results for 3 combinations of parameters
	`)
}

// A file in version 1 has an object for each benchmark with parameters or statistics, and else a number.
func TestASVVersion1(t *testing.T) {
	formattest.Check(t, "asv", `{
    "commit_hash": "4cf20dac",
    "date": 1767323045000,
    "params": {"arch": "x86_64", "cpu": "Fast CPU (4 cores)", "machine": "cheetah", "numpy": "1.8", "os": "Linux (Fedora 20)", "python": "2.7"},
    "python": "2.7",
    "requirements": {"Cython": "", "numpy": "1.8"},
    "results": {
        "units.mem_unit": 728,
        "units.time_parse": 0.5,
        "units.time_failed": null,
        "units.time_params": {"params": [["1", "2"]], "result": [1, null], "samples": [[0.5, 1.5], null],
            "stats": [{"ci_99": [0.5, 1.5], "number": 4, "repeat": 2}, null]},
        "units.time_stats": {"result": 1, "stats": {"ci_99": [0.5, 1.5], "number": 4, "n": 10}, "params": []},
        "units.time_samples": {"result": [1], "samples": [0.5, 1.5]}
    },
    "version": 1
}`, `
		Unit B better=lower
		Unit B from=bytes
		Unit ns/op from=seconds
		goos: linux
		goarch: amd64
		cpu: Fast CPU (4 cores)
		host: cheetah
		commit: 4cf20dac
		commit-time: 2026-01-02T03:04:05Z
		python-version: 2.7
		pkg: py2.7-Cython-numpy1.8
		units.mem_unit 1 728 B
		units.time_parse 1 5e+08 ns/op
		left out f:10: units.time_failed: it failed or was skipped
		units.time_params(1) 4 5e+08 ns/op
		units.time_params(1) 4 1.5e+09 ns/op
		left out f:12: units.time_params(2): it failed or was skipped
		units.time_stats 1 1e+09 ns/op 5e+08 low-ns/op 1.5e+09 high-ns/op 10 summary-n
		units.time_samples 1 5e+08 ns/op
		units.time_samples 1 1.5e+09 ns/op
	`)
}

// Older versions of asv write the results first, and no order means anything in JSON.
func TestASVResultsFirst(t *testing.T) {
	formattest.Check(t, "asv", `{"results": {
	"a.time_x": {"result": [1, 2], "params": [["1", "2"]]},
	"a.time_broken": {"result": [null], "params": [["1", "2"]]}},
"params": {"machine": "cheetah"}, "requirements": {}, "commit_hash": "15091823dcd9", "date": 1767323045000, "env_name": "conda-py3.6", "python": "3.6", "version": 1}`, `
		Unit ns/op from=seconds
		host: cheetah
		commit: 15091823dcd9
		commit-time: 2026-01-02T03:04:05Z
		python-version: 3.6
		pkg: conda-py3.6
		a.time_x(1) 1 1e+09 ns/op
		a.time_x(2) 1 2e+09 ns/op
		left out f:3: a.time_broken: it failed
	`)
	formattest.Check(t, "asv", `{"version": 2, "results": {
	"a.time_x": [[1],
		[]], "a.time_y": [[2], []],

	"a.time_z": [
		[1, 2], [["1", "2", "3"]]]}, "result_columns": ["result", "params"], "python": "3.6", "requirements": {"numpy": "1"}, "commit_hash": "15091823dcd9"}`, `
		Unit ns/op from=seconds
		commit: 15091823dcd9
		python-version: 3.6
		pkg: py3.6-numpy1
		a.time_x 1 1e+09 ns/op
		a.time_y 1 2e+09 ns/op
		error f:6: a.time_z has 2 results for 3 combinations of parameters
	`)
}

// A file with very many results is detected, and refused if it names the commit behind them.
func TestASVManyResultsFirst(t *testing.T) {
	var text strings.Builder
	text.WriteString(`{"results": {`)
	for i := range 6_000 {
		fmt.Fprintf(&text, `"a.time_%d": {"result": [1], "params": [], "samples": [[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]]}, `, i)
	}
	text.WriteString(`"a.time": null},
		"requirements": {}, "commit_hash": "15091823dcd9"}`)
	if f, err := format.Detect([]byte(text.String())); err != nil || f.Name != "asv" {
		t.Errorf("detected %q, %v", f.Name, err)
	}
	got := formattest.Dump(t, "asv", text.String())
	want := "failed f:2: requirements comes after too many results: put it before them\n"
	if !strings.HasSuffix(got, want) {
		t.Errorf("got %s, want %s", got[max(0, len(got)-200):], want)
	}
}

func TestASVMistakes(t *testing.T) {
	for text, want := range map[string]string{
		`{"arch": "x86_64", "cpu": "c", "machine": "m", "os": "Linux", "ram": "8G", "version": 1}`:                          "failed f:1: no results: this is the machine.json of asv: name the COMMIT-ENVIRONMENT.json files beside it\n",
		`{"a.time_x": {"code": "c", "name": "a.time_x", "param_names": [], "params": []}, "version": 2}`:                    "failed f:1: no results: this is the benchmarks.json of asv: name the MACHINE/COMMIT-ENVIRONMENT.json files beside it\n",
		`{"commit_hash": "4cf20dac", "requirements": {}, "result_columns": ["result"], "results": {"a.time_x": [[1], 2]}}`:  "failed f:1: \"a.time_x\" has more values than the 1 columns\n",
		`{"commit_hash": "4cf20dac", "requirements": {}, "results": {"a.time_x": [[1]]}}`:                                   "failed f:1: the columns of the results are not declared\n",
		`{"commit_hash": "4cf20dac", "requirements": {}, "results": {}}`:                                                    "",
		`{"commit_hash": "4cf20dac", "requirements": {}, "results": {"a.time_x": {"result": [1], "params": [["1", "2"]]}}}`: "error f:1: a.time_x has 1 results for 2 combinations of parameters\n",
	} {
		formattest.Check(t, "asv", text, want)
	}
}

func FuzzASV(f *testing.F) {
	formattest.Fuzz(f, "asv", asvResults, `{"results": {"a.time_x": [[1], []],
"a.time_y": [[null], [["1", "2"]]]}, "result_columns": ["result", "params"], "requirements": {}, "commit_hash": "15091823dcd9"}`)
}

func BenchmarkASV(b *testing.B) {
	formattest.Bench(b, "asv", `{"commit_hash": "4cf20dac", "requirements": {}, "env_name": "e", "result_columns": ["result", "params", "version", "started_at", "duration", "stats_ci_99_a", "stats_ci_99_b", "stats_q_25", "stats_q_75", "stats_number", "stats_repeat"], "results": {`,
		`"benchmarks.join.JoinIndex.time_join_multi_by_param": [[1.548234623e-05], [], "9cf5f4f3d3d9cf5f4f3d3d9cf5f4f3d3d9cf5f4f3d3d9cf5f4f3d3d9cf5f4f3d", 1767323045000, 1.5023, [1.5012e-05], [1.6123e-05], [1.5112e-05], [1.6089e-05], [50], [10]]`, ",", "}}")
}
