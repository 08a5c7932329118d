package rust_test

import (
	"testing"

	"github.com/perftrack/perftrack/runner/format/formattest"
)

const criterionConsole = `
running 1 test
test tests::adds ... ignored

test result: ok. 0 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s

Benchmarking fib 10
Benchmarking fib 10: Warming up for 3.0000 s
Benchmarking fib 10: Collecting 100 samples in estimated 5.0000 s (15B iterations)
Benchmarking fib 10: Analyzing
fib 10                  time:   [120.5 ns 121 ns 122 ns]
                        change: [-2.0565% -0.2521% +1.6377%] (p = 0.79 > 0.05)
                        No change in performance detected.
Found 8 outliers among 100 measurements (8.00%)

Benchmarking sum/bytes: Collecting 10 samples in estimated 200.00 ms (768k iterations)
sum/bytes               time:   [1.5 us 2 us 2.5 us]
                        thrpt:  [1 KiB/s 1 GiB/s 2 GiB/s]
                 change:
                        time:   [-1.0000% +1.0000% +2.0000%] (p = 0.79 > 0.05)
                        thrpt:  [-1.0000% +1.0000% +2.0000%]
A very long name of a group/elements
                        time:   [0.5 ps 1 ps 2 ps]
                        thrpt:  [6.8 Gelem/s 8 Melem/s 9 Gelem/s]
short: with colon       time:   [` + "\x1b[2m1.5 ms\x1b[0m \x1b[1m2 ms\x1b[0m 3 s" + `]
cycles                  time:   [1 cycles 2 cycles 3 cycles]
broken                  time:   [1.5 ms 2 ms]
`

func TestCriterionConsole(t *testing.T) {
	formattest.Check(t, "criterion-console", criterionConsole, `
		Unit ns/op from=ns
		fib_10 1 121 ns/op 120.5 low-ns/op 122 high-ns/op 100 summary-n
		Unit ns/op from=us
		Unit MB/s from=GiB/s
		sum/bytes 1 2000 ns/op 1073.741824 MB/s 1500 low-ns/op 2500 high-ns/op 10 summary-n
		Unit ns/op from=ps
		Unit elements/s better=higher
		Unit elements/s from=Melem/s
		A_very_long_name_of_a_group/elements 1 0.001 ns/op 8e+06 elements/s 0.0005 low-ns/op 0.002 high-ns/op 0 summary-n
		Unit ns/op from=ms
		short:_with_colon 1 2e+06 ns/op 1.5e+06 low-ns/op 3e+09 high-ns/op 0 summary-n
		left out f:26: cycles: "cycles" is not a unit of time
		error f:27: the times "broken                  time:   [1.5 ms "... are not three numbers with units
	`)
}

// The last result of an interrupted run is complete without a line after it.
func TestCriterionConsoleCut(t *testing.T) {
	formattest.Check(t, "criterion-console", "\rBenchmarking a: Analyzing\ra        time:   [1 s 2 s 3 s]", `
		Unit ns/op from=s
		a 1 2e+09 ns/op 1e+09 low-ns/op 3e+09 high-ns/op 0 summary-n
	`)
}

func FuzzCriterionConsole(f *testing.F) {
	formattest.Fuzz(f, "criterion-console", criterionConsole)
}
