package javascript_test

import (
	"testing"

	"github.com/perftrack/perftrack/runner/format/formattest"
)

const vitest = `{
  "files": [
    {
      "filepath": "/somewhere/src/a.bench.ts",
      "groups": [
        {
          "fullName": "src/a.bench.ts",
          "benchmarks": [
            {"id": "1_1", "name": "top", "rank": 1, "rme": 4, "samples": [], "totalTime": 20, "min": 0.25, "max": 1, "hz": 2000,
             "period": 0.5, "mean": 0.5, "variance": 0.015625, "sd": 0.125, "df": 39, "sampleCount": 40, "median": 0.25}
          ]
        },
        {
          "fullName": "src/a.bench.ts > sort > inner",
          "benchmarks": [
            {"id": "1_0", "name": "two words", "rank": 1, "rme": 4, "samples": [1, 3], "mean": 2, "sd": 1, "hz": 500, "sampleCount": 2},
            {"id": "1_2", "name": "bad", "rank": 2, "rme": 0, "samples": []}
          ]
        },
        {"fullName": "src/a.bench.ts > empty", "benchmarks": []}
      ]
    }
  ]
}
`

func TestVitest(t *testing.T) {
	formattest.Check(t, "vitest", vitest, `
		Unit ns/op from=ms
		src/a.bench.ts_>_top 1 500000 ns/op 125000 sd-ns/op 40 summary-n
		src/a.bench.ts_>_sort_>_inner_>_two_words 1 1e+06 ns/op
		src/a.bench.ts_>_sort_>_inner_>_two_words 1 3e+06 ns/op
		left out f:17: src/a.bench.ts > sort > inner > bad: it has no result: it failed or was skipped
	`)
	formattest.Check(t, "vitest", `{"files": [{"groups": [{"fullName": "a > b", "benchmarks": [{"name": "c", "samples": [1, -3]}]}]}]}`, `
		Unit ns/op from=ms
		a_>_b_>_c 1 1e+06 ns/op
		error f:1: "a_>_b_>_c" is -3 ms: not a finite number of 0 or more
	`)
}

func FuzzVitest(f *testing.F) { formattest.Fuzz(f, "vitest", vitest) }

func BenchmarkVitest(b *testing.B) {
	formattest.Bench(b, "vitest", `{"files": [{"filepath": "/a/b.ts", "groups": [{"fullName": "b.ts", "benchmarks": [`, `
            {
              "id": "1533102555_0_0",
              "name": "normal",
              "rank": 1,
              "rme": 62.06288890491728,
              "samples": [],
              "totalTime": 20.000294000003805,
              "hz": 1423829.0697124044,
              "period": 0.0007023314955930683,
              "mean": 0.0007023314955930683,
              "variance": 0.0014084140734698055,
              "sd": 0.03752884322051248,
              "p999": 0.004224999999905776,
              "sampleCount": 28477,
              "median": 0.00029800000015711703
            }`, ",", "]}]}]}")
}
