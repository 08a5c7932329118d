package python_test

import (
	"strings"
	"testing"

	"github.com/perftrack/perftrack/runner/format/formattest"
)

const pyperfSuite = `{
  "benchmarks": [
    {"metadata": {"name": "json_dumps", "loops": 8, "inner_loops": 4},
     "runs": [
      {"metadata": {"calibrate_loops": 8, "date": "2026-01-02 03:04:05"}, "warmups": [[1, 0.5], [8, 0.25]]},
      {"metadata": {"load_avg_1min": 0.1}, "values": [2e-06, 3e-06], "warmups": [[8, 0.25]]},
      {"values": [2.5e-06]}]},
    {"metadata": {"name": "memory", "unit": "byte"}, "runs": [{"metadata": {"loops": 2}, "values": [7360512]}]},
    {"metadata": {"name": "nodes", "unit": "integer"}, "runs": [{"values": [42]}]},
    {"metadata": {"name": "calibrated"}, "runs": [{"warmups": [[1, 0.5]]}]}
  ],
  "metadata": {"cpu_count": 4, "cpu_model_name": "Fast CPU", "hostname": "builder", "perf_version": "2.6.0",
    "platform": "Linux-6.1.0-18-amd64-x86_64-with-glibc2.36", "python_version": "3.11.2 (64-bit)", "commit_id": "4cf20dac6c",
    "commit_branch": "main", "commit_date": "2026-01-02T03:04:05+00:00"},
  "version": "1.0"
}
`

func TestPyperf(t *testing.T) {
	formattest.Check(t, "pyperf", pyperfSuite, `
		Unit ns/op from=second
		goos: linux
		goarch: amd64
		cpu: Fast CPU
		cpu-count: 4
		host: builder
		pyperf-version: 2.6.0
		python-version: 3.11.2 (64-bit)
		commit: 4cf20dac6c
		branch: main
		commit-time: 2026-01-02T03:04:05Z
		json_dumps 32 2000 ns/op
		json_dumps 32 3000 ns/op
		json_dumps 32 2500 ns/op
		Unit B better=lower
		Unit B from=byte
		memory 2 7.360512e+06 B
		nodes 1 42 integer
		left out f:10: calibrated: it has no values
	`)
}

// The name of the only benchmark is among the metadata of the suite.
func TestPyperfSingle(t *testing.T) {
	formattest.Check(t, "pyperf", `{"benchmarks": [{"runs": [{"values": [0.5]}]}], "metadata": {"name": "telco", "loops": 8}, "version": "1.0"}`, `
		Unit ns/op from=second
		telco 8 5e+08 ns/op
	`)
}

func TestPyperfMistakes(t *testing.T) {
	for text, want := range map[string]string{
		`{"benchmarks": [], "version": "1.0"}`:                     "",
		"{\"benchmarks\": [{\"runs\": [\n{\"values\": [1]}]}]}":    "error f:2: a benchmark has no name\n",
		`{"benchmarks": [{"runs": [{"values": [1, "x", null]}]}]}`: "failed f:1: 2 of the values are no numbers\n",
		`{"benchmarks": [{"runs": 1}]}`:                            "failed f:1: expected an array, found \"1\"\n",
		`{"benchmarks": [{"runs": [`:                               "failed f:1: the input ends in the middle of the JSON document\n",
	} {
		if got := formattest.Dump(t, "pyperf", text); got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", text, got, want)
		}
	}
}

func FuzzPyperf(f *testing.F) { formattest.Fuzz(f, "pyperf", pyperfSuite) }

func BenchmarkPyperf(b *testing.B) {
	values := strings.TrimSuffix(strings.Repeat("2.087224121094522e-06, ", 2), ", ")
	formattest.Bench(b, "pyperf", `{"benchmarks": [`,
		`{"metadata": {"name": "x", "loops": 8}, "runs": [{"metadata": {"cpu_freq": "0=3475 MHz; 1=3246 MHz; 2=3310 MHz",
     "date": "2020-10-13 10:12:21.135682", "cpu_temp": "coretemp:Package id 0=44 C, coretemp:Core 0=39 C, coretemp:Core 1=44 C, coretemp:Core 2=39 C, coretemp:Core 3=40 C",
     "duration": 0.5809460970049258, "load_avg_1min": 0.45, "mem_max_rss": 14929920, "runnable_threads": 1, "uptime": 657922.4809143543},
     "warmups": [[64, 2.115e-06]], "values": [`+values+`]}]}`, ",", "]}")
}
