package tools_test

import (
	"testing"

	"github.com/perftrack/perftrack/runner/format/formattest"
)

const hyperfine = `{
  "results": [
    {"command": "sleep 0.5", "mean": 0.625, "stddev": 0.25, "median": 0.625, "user": 0.001, "system": 0.0, "min": 0.5, "max": 0.75,
     "times": [0.5, 0.75], "memory_usage_byte": [1024, 2048], "exit_codes": [0, 0], "parameters": {"delay": "0.5", "mode": "a b"}},
    {"command": "old", "mean": 0.5, "stddev": null, "median": 0.5, "user": 0.25, "system": 0.125, "min": 0.5, "max": 0.5, "times": [0.5]},
    {"command": "means", "mean": 0.5, "stddev": 0.125, "median": 0.5, "user": 0.25, "system": 0.125, "min": 0.25, "max": 0.75, "exit_codes": [0]},
    {"command": "grep x", "mean": 0.5, "median": 0.5, "user": 0, "system": 0, "times": [0.5, 0.5], "exit_codes": [0, 2]},
    {"command": "killed", "mean": 0.5, "median": 0.5, "user": 0, "system": 0, "times": [0.5], "exit_codes": [null]}
  ]
}
`

func TestHyperfine(t *testing.T) {
	formattest.Check(t, "hyperfine", hyperfine, `
		Unit user-ns/op better=lower
		Unit system-ns/op better=lower
		Unit peak-B better=lower
		Unit ns/op from=s
		sleep_0.5/delay=0.5/mode=a_b 1 5e+08 ns/op 1024 peak-B 1e+06 user-ns/op 0 system-ns/op
		sleep_0.5/delay=0.5/mode=a_b 1 7.5e+08 ns/op 2048 peak-B
		old 1 5e+08 ns/op 2.5e+08 user-ns/op 1.25e+08 system-ns/op
		means 1 5e+08 ns/op 2.5e+08 user-ns/op 1.25e+08 system-ns/op 1.25e+08 sd-ns/op 0 summary-n
		left out f:7: grep x: a run ended with exit code 2: if that is expected, measure `+"`COMMAND || true`"+`
		left out f:8: killed: a run ended by a signal: if that is expected, measure `+"`COMMAND || true`"+`
	`)
}

func FuzzHyperfine(f *testing.F) { formattest.Fuzz(f, "hyperfine", hyperfine) }

func BenchmarkHyperfine(b *testing.B) {
	formattest.Bench(b, "hyperfine", `{"results": [`, `
    {
      "command": "sleep 0.1",
      "mean": 0.10753446442370372,
      "stddev": 0.0032178771150522725,
      "median": 0.10652535172000001,
      "user": 0.0007174962962962964,
      "system": 0.0013508844444444443,
      "min": 0.10247468572,
      "max": 0.11533689272,
      "times": [
        0.10586876872,
        0.10725897672000001
      ],
      "exit_codes": [
        0,
        0
      ],
      "parameters": {
        "delay": "0.1",
        "input": "testdata/large.json"
      }
    }`, ",", "]}")
}
