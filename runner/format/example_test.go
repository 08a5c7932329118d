package format_test

import (
	"fmt"
	"log"
	"strings"

	"golang.org/x/perf/benchfmt"

	"github.com/perftrack/perftrack/runner/format"
)

// This example detects the format of an input from its beginning. Reading an input in any format
// yields records in the Go benchmark format, or errors with the file and line.
func ExampleDetect() {
	for _, text := range []string{
		"BenchmarkParse-2 \t 1000 \t 105 ns/op\nPASS\n",
		"BenchmarkParse-2 1000 -5 ns/op\n",
	} {
		f, err := format.Detect([]byte(text))
		if err != nil {
			log.Fatal(err)
		}
		err = f.Read(strings.NewReader(text), "bench.txt", func(r benchfmt.Record) error {
			switch r := r.(type) {
			case *benchfmt.Result:
				fmt.Println(f.Name, r.Name, r.Iters, r.Values)
			case *benchfmt.SyntaxError:
				fmt.Println(r)
			}
			return nil
		})
		if err != nil {
			fmt.Println(err)
		}
	}
	// Output:
	// gobench Parse-2 1000 [{1.05e-07 sec/op 105 ns/op}]
	// bench.txt:1: value in ns/op is negative
}
