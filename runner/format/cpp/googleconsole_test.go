package cpp_test

import (
	"testing"

	"github.com/perftrack/perftrack/runner/format"
	"github.com/perftrack/perftrack/runner/format/formattest"
)

const googleConsole = `2026-02-03T10:00:00+00:00
Running ./bench
Run on (2 X 2600 MHz CPU s)
-------------------------------------------------------------------------------------
Benchmark                           Time             CPU   Iterations UserCounters...
-------------------------------------------------------------------------------------
BM_Copy/64                       41.2 ns         13.7 ns      1062680 bytes_per_second=4G/s items_per_second=72.5M/s
BM_Copy/4096                      840 us          839 us          900 bytes_per_second=2Mi/s hits=12.5k Wait=1.5us
BM_Pair<int, int>/8              1.50 ms         1.25 ms           10 small=2.5m a label
BM_Missing                 ERROR OCCURRED: 'no file'
BM_Other                   SKIPPED: 'no GPU'
BM_Zero                         0.000 ms        0.000 ms     10000000
BM_Grow/8                        22.1 ns         5.67 ns      2654809
BM_Grow_BigO                     2.96 N          0.40 N
BM_Grow_RMS                        25 %             3 %
the program prints 3 lines in 2 ms here
`

func TestGoogleConsole(t *testing.T) {
	formattest.Check(t, "google-benchmark-console", googleConsole, `
		Unit ns/op from=ns
		Unit cpu-ns/op better=lower
		Unit MB/s from=B/s
		Unit items/s better=higher
		Unit ns/op from=us
		Unit ns/op from=ms
		BM_Copy/64 1062680 41.2 ns/op 13.7 cpu-ns/op 4294.967296 MB/s 7.25e+07 items/s
		BM_Copy/4096 900 840000 ns/op 839000 cpu-ns/op 2.097152 MB/s 12500 hits 1.5e-06 Wait
		BM_Pair<int,_int>/8 10 1.5e+06 ns/op 1.25e+06 cpu-ns/op 0.0025 small
		left out f:10: BM_Missing: it failed: no file
		left out f:11: BM_Other: it was skipped: no GPU
		left out f:12: BM_Zero: its time is printed as 0 ms: write JSON, which keeps all digits
		BM_Grow/8 2654809 22.1 ns/op 5.67 cpu-ns/op
	`)
}

// With repetitions, the table has aggregates after the samples, or aggregates only. A benchmark may
// have a name like an aggregate. Colors are those of a terminal.
const googleAggregates = `Benchmark                Time             CPU   Iterations    rate_hit  items_per_second
BM_A                  20.0 ns         10.0 ns         1000        50        2k/s a label
BM_A                  22.0 ns         11.0 ns         1000        52        2k/s
BM_A_mean             21.0 ns         10.5 ns            2        51        2k/s
BM_A_median           21.0 ns         10.5 ns            2        51        2k/s
BM_A_stddev           1.00 ns        0.500 ns            2         1        0/s
BM_A_cv               4.76 %          4.76 %             2      1.9%      0.00%
` + "\x1b[0;32mBM_B_mean \x1b[m\x1b[0;33m  2.00 us   1.50 us \x1b[m\x1b[0;36m  5\x1b[m     7\x1b[m\n" + `BM_B_median           2.00 us         1.50 us            5         7
BM_B_stddev          0.250 us        0.125 us            5         0
BM_mean               3.00 us         2.00 us          100
BM_C_mean             4.00 us         4.00 us          200
`

func TestGoogleAggregates(t *testing.T) {
	formattest.Check(t, "google-benchmark-console", googleAggregates, `
		Unit ns/op from=ns
		Unit cpu-ns/op better=lower
		Unit items/s better=higher
		Unit ns/op from=us
		BM_A 1000 20 ns/op 10 cpu-ns/op 50 rate_hit 2000 items/s
		BM_A 1000 22 ns/op 11 cpu-ns/op 52 rate_hit 2000 items/s
		BM_B 1 2000 ns/op 1500 cpu-ns/op 7 rate_hit 250 sd-ns/op 5 summary-n
		BM_mean 100 3000 ns/op 2000 cpu-ns/op
		BM_C_mean 200 4000 ns/op 4000 cpu-ns/op
	`)
}

// A README that quotes a table is no report.
func TestConsoleReports(t *testing.T) {
	quote := func(text string) string {
		return "# Fast\n\nIt is fast.\nHow fast?\nSee:\n\n" + text + "\nThe figures\nare from\nmy laptop.\n"
	}
	for _, tt := range []struct {
		text string
		want bool
	}{
		{googleConsole, true},
		{googleAggregates, true},
		{catch2Console, true},
		{quote("BM_Copy/64   41.2 ns    13.7 ns   1062680\n"), false},
		{quote("benchmark name    samples   iterations   mean\nFib 10   10   71   28.5 us\n"), false},
	} {
		f, err := format.Detect([]byte(tt.text))
		if err != nil {
			t.Fatal(err)
		}
		if got := f.IsReport([]byte(tt.text)); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.text, got, tt.want)
		}
	}
}

func FuzzGoogleConsole(f *testing.F) {
	formattest.Fuzz(f, "google-benchmark-console", googleConsole, googleAggregates)
}
