package cpp_test

import (
	"testing"

	"github.com/perftrack/perftrack/runner/format/formattest"
)

const nanobench = `| ns/op | op/s | the table that nanobench prints while it measures
{
    "results": [
        {"title": "Copy", "name": "memcpy", "unit": "byte", "batch": 1000, "complexityN": -1, "epochs": 2,
         "clockResolution": 1.5e-08, "median(elapsed)": 2.5e-07, "medianAbsolutePercentError(elapsed)": 0.06,
         "measurements": [
            {"iterations": 74784, "elapsed": 2.5e-07, "pagefaults": 0, "cpucycles": 500, "instructions": 1500, "branchmisses": 0},
            {"iterations": 8379, "elapsed": 5e-07, "pagefaults": 0, "cpucycles": 600, "instructions": 1500}
         ]}
    ]
}
{
    "results": [
        {"title": "benchmark", "name": "sqrt loop", "unit": "op", "batch": 1, "epochs": 11, "median(elapsed)": 4.5e-08,
         "median(instructions)": 0, "median(cpucycles)": 0, "measurements": []},
        {"title": "benchmark", "name": "none", "unit": "op", "batch": 0, "epochs": 11, "median(elapsed)": 1}
    ]
}
`

func TestNanobench(t *testing.T) {
	formattest.Check(t, "nanobench", nanobench, `
		Unit ns/byte better=lower
		Unit instructions/byte better=lower
		Unit cycles/byte better=lower
		Unit ns/byte from=s
		Copy/memcpy 74784 0.25 ns/byte 1.5 instructions/byte 0.5 cycles/byte
		Copy/memcpy 8379 0.5 ns/byte 1.5 instructions/byte 0.6 cycles/byte
		Unit ns/op better=lower
		Unit instructions/op better=lower
		Unit cycles/op better=lower
		Unit ns/op from=s
		sqrt_loop 1 45 ns/op 11 summary-n
		error f:16: "none" has a batch of 0
	`)
}

func FuzzNanobench(f *testing.F) { formattest.Fuzz(f, "nanobench", nanobench) }

func BenchmarkNanobench(b *testing.B) {
	formattest.Bench(b, "nanobench", `{"results": [{"title": "t", "name": "n", "epochs": 11, "median(elapsed)": 1e-7, "measurements": [`, `
                {
                    "iterations": 74784,
                    "elapsed": 1.22708199614891e-07,
                    "pagefaults": 0,
                    "cpucycles": 0,
                    "contextswitches": 0,
                    "instructions": 0,
                    "branchinstructions": 0,
                    "branchmisses": 0
                }`, ",", "]}]}")
}
