package decode_test

import (
	"fmt"
	"log"
	"os"
	"strings"

	"golang.org/x/perf/benchfmt"

	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/runner/record/decode"
)

// This example turns the output of a benchmark into a run. The run can be read back from its text,
// and its id is the hash of the text.
func ExampleBuilder() {
	const printed = `goos: linux
BenchmarkParse-2 1000 105 ns/op 3 allocs/op
BenchmarkParse-2 1000 107 ns/op 3 allocs/op
`
	b := decode.Builder{Default: record.Run{Target: "codec", Commit: record.Commit{SHA: strings.Repeat("a", 40)}}}
	for r := benchfmt.NewReader(strings.NewReader(printed), "bench.txt"); r.Scan(); {
		if err := b.Add(r.Result()); err != nil {
			log.Fatal(err)
		}
	}
	runs, err := b.Runs()
	if err != nil {
		log.Fatal(err)
	}
	for _, run := range runs {
		for _, bench := range run.Benchmarks {
			for _, s := range bench.Samples {
				fmt.Println(bench.Name, s.Unit, s.Values)
			}
		}
		fmt.Println("id", run.ID()[:12])
		if err := record.NewWriter(os.Stdout).Write(run); err != nil {
			log.Fatal(err)
		}
	}
	// Output:
	// Parse ns/op [105 107]
	// Parse allocs/op [3 3]
	// id 8ddc244d9d0e
	// perftrack-run: 1
	// target: codec
	// commit: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
	// status: complete
	// goos: linux
	// gomaxprocs: 2
	// round: 1
	// order: 0
	// BenchmarkParse-2 1000 105 ns/op 3 allocs/op
	// round: 2
	// order: 1
	// BenchmarkParse-2 1000 107 ns/op 3 allocs/op
}
