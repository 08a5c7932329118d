package compare_test

import (
	"fmt"
	"log"
	"strings"

	"golang.org/x/perf/benchfmt"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/runner/record/decode"
)

// This example compares the two sides of a trial with ten rounds. Parse became a fifth slower, but
// Render did not.
func ExampleCompare() {
	side := func(side record.Side, commit string, parse float64) compare.Side {
		var text strings.Builder
		for round := range 10 {
			jitter := float64(round) / 10
			fmt.Fprintf(&text, "round: %d\nBenchmarkParse 1000 %g ns/op\nBenchmarkRender 1000 %g ns/op\n", round+1, parse+jitter, 50+jitter)
		}
		b := decode.Builder{Default: record.Run{Target: "codec", Trial: "t1", Side: side, Commit: record.Commit{SHA: strings.Repeat(commit, 40)}}}
		for r := benchfmt.NewReader(strings.NewReader(text.String()), "bench.txt"); r.Scan(); {
			if err := b.Add(r.Result()); err != nil {
				log.Fatal(err)
			}
		}
		runs, err := b.Runs()
		if err != nil {
			log.Fatal(err)
		}
		runs[0].Protocol.Decision = "typical-and-mean"
		return compare.Side{Runs: runs}
	}

	c := compare.Compare(side(record.Base, "a", 100), side(record.Head, "b", 120), compare.Options{})
	for row := range c.Rows() {
		fmt.Printf("%s %s: %s, %+.1f%%\n", row.Name, row.Unit, row.Verdict, 100*row.Shift.Center)
	}
	// Output:
	// Parse sec/op: regressed, +19.9%
	// Render sec/op: unchanged, +0.0%
}
