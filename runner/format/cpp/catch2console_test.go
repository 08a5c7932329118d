package cpp_test

import (
	"strings"
	"testing"

	"github.com/perftrack/perftrack/runner/format/formattest"
)

const catch2Console = `Randomness seeded to: 400593658

~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
bench is a Catch2 v3.7.1 host application.
Run with -? for options

-------------------------------------------------------------------------------
Parse
-------------------------------------------------------------------------------
bench.cc:10
...............................................................................

benchmark name                       samples       iterations    est run time
                                     mean          low mean      high mean
                                     std dev       low std dev   high std dev
-------------------------------------------------------------------------------
Fib 10                                         100            54     565.92 us 
                                         239.5 ns     238.5 ns    241.25 ns 
                                          3.25 ns      0.87 ns     5.0192 ns 
                                                                               
a very long benchmark name that                                                
does not fit in a column                                                       
12                                              10            29     573.62 ms 
                                          1.5 us     900 ns         1.75 us 
                                        250 ns       11.7715 ns    3.02403 us 
                                                                               

-------------------------------------------------------------------------------
Parse
  with a cache
  of 2 MB
-------------------------------------------------------------------------------
bench.cc:11
...............................................................................

benchmark name                       samples       iterations    est run time
                                     mean          low mean      high mean
                                     std dev       low std dev   high std dev
-------------------------------------------------------------------------------
throws                               Benchmark failed (bad thing) 

bench.cc:14: FAILED:
  REQUIRE( 1==2 )

-------------------------------------------------------------------------------
A test case with a name that takes
two lines
-------------------------------------------------------------------------------
bench.cc:13
...............................................................................

benchmark name                       samples       iterations    est run time
                                     mean          low mean      high mean
                                     std dev       low std dev   high std dev
-------------------------------------------------------------------------------
slow                                            10             1          2 m 
                                               2 s           1.5 s      2.5 s 
                                           0.5 s           0.1 s          1 s 
                                                                               
cut off                                         10           317     564.26 us 
===============================================================================
test cases: 2 | 1 passed | 1 failed
assertions: 2 | 1 passed | 1 failed
`

func TestCatch2Console(t *testing.T) {
	want := `
		Parse/Fib_10 1 239.5 ns/op 3.25 sd-ns/op 238.5 low-ns/op 241.25 high-ns/op 100 summary-n
		Parse/a_very_long_benchmark_name_that_does_not_fit_in_a_column_12 1 1500 ns/op 250 sd-ns/op 900 low-ns/op 1750 high-ns/op 10 summary-n
		left out f:40: Parse/with a cache/of 2 MB/throws: it failed: bad thing
		A_test_case_with_a_name_that_takes_two_lines/slow 1 2e+09 ns/op 5e+08 sd-ns/op 1.5e+09 low-ns/op 2.5e+09 high-ns/op 10 summary-n
		left out f:60: A test case with a name that takes two lines/cut off: its mean is missing
	`
	formattest.Check(t, "catch2-console", catch2Console, want)
	// Version 2 has other headers.
	formattest.Check(t, "catch2-console", strings.ReplaceAll(catch2Console, "est run time", "estimated"), want)
}

// With --benchmark-no-analysis, there is only a mean.
func TestCatch2Means(t *testing.T) {
	formattest.Check(t, "catch2-console", `-------------------------------------------------------------------------------
Other
-------------------------------------------------------------------------------
bench.cc:13
...............................................................................

benchmark name                            samples    iterations          mean
-------------------------------------------------------------------------------
Fib 10                                          10            71       28.5 us 
tail                                            10           813    21.9306 ns 

===============================================================================
`, `
		Other/Fib_10 1 28500 ns/op 10 summary-n
		Other/tail 1 21.9306 ns/op 10 summary-n
	`)
}

// A program may print a rule of its own, and any text after it. That is no title.
func TestCatch2OtherText(t *testing.T) {
	rule := strings.Repeat("-", 79) + "\n"
	table := "benchmark name    samples   iterations   mean\n" + rule + "Fib 10   10   71   28.5 us\n"
	for _, text := range []string{strings.Repeat("text\n", 100), strings.Repeat("text ", 1000) + "\n"} {
		formattest.Check(t, "catch2-console", rule+text+table, "Fib_10 1 28500 ns/op 10 summary-n")
	}
	formattest.Check(t, "catch2-console", table+strings.Repeat("text\n", 100)+"Fib 20   10   71   28.5 us\n", "Fib_10 1 28500 ns/op 10 summary-n")
}

func FuzzCatch2Console(f *testing.F) { formattest.Fuzz(f, "catch2-console", catch2Console) }
