package runner

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/perf/benchfmt"

	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/program"
)

// mostIterations is package testing's maximum number of iterations if the benchtime is a duration.
const mostIterations = 1_000_000_000

// benchmarkProcess reports whether package testing ran a single benchmark function in this process.
// Otherwise the results that the process may print are unknown.
func (o *output) benchmarkProcess() bool {
	return o.m.Target.Kind == config.GoTest && o.slot.Bench != ""
}

// unasked describes why rec cannot be a result of the requested benchmark, or returns "" if it can.
// A benchmark may make up results, or run go test and print its results. Such results must not
// become samples of another benchmark.
func (o *output) unasked(rec *benchfmt.Result) string {
	name := string(rec.Name)
	if !isOf(name, o.slot.Bench) {
		return fmt.Sprintf("printed a result for %s, which was not requested", name)
	}
	asked := 0
	if n, counted := strings.CutSuffix(o.m.Benchtime, "x"); counted {
		asked, _ = strconv.Atoi(n)
	}
	switch {
	case asked > 0 && rec.Iters != asked:
		return fmt.Sprintf("printed %d iterations for %s instead of %d: a benchmark must not set b.N or print results", rec.Iters, name, asked)
	case rec.Iters > mostIterations:
		return fmt.Sprintf("printed %d iterations for %s, more than package testing ever runs: a benchmark must not set b.N or print results", rec.Iters, name)
	}
	return ""
}

// isOf reports whether name is the benchmark bench or one of its sub-benchmarks, with any
// GOMAXPROCS suffix.
func isOf(name, bench string) bool {
	digits, ok := strings.CutPrefix(name, bench+"-")
	_, err := strconv.ParseUint(digits, 10, 32)
	return ok && err == nil || belongs(name, bench)
}

// belongs reports whether name, without a GOMAXPROCS suffix, is the benchmark bench or one of its
// sub-benchmarks.
func belongs(name, bench string) bool {
	rest, ok := strings.CutPrefix(name, bench)
	return ok && (rest == "" || rest[0] == '/')
}

// declaring is a program that has read the declarations of its benchmarks.
type declaring interface {
	// DeclaredTwice reports whether the process prints two results for the slot.
	DeclaredTwice(s program.Slot) bool
}

// distrust drops results that the program may have made up and records the reason. If a name has
// more results than package testing can have printed, distrust drops all results with that name. If
// the process ended before package testing finished, distrust drops every result.
func (o *output) distrust(stdout []byte) {
	if !o.benchmarkProcess() {
		return
	}
	if len(o.results) > 0 && !bytes.Contains(stdout, []byte("PASS\n")) {
		o.refuse("exited before package testing had finished: its results were discarded")
		o.results = nil
	}
	most := 1
	if g, ok := o.m.programs[o.side].(declaring); ok && g.DeclaredTwice(o.slot) {
		most = 2
	}
	count := map[string]int{}
	for _, res := range o.results {
		count[string(res.Name)]++
	}
	o.results = slices.DeleteFunc(o.results, func(res *benchfmt.Result) bool {
		name := string(res.Name)
		if count[name] > most {
			o.refuse(fmt.Sprintf("printed %d results for %s, but package testing made only one", count[name], name))
		}
		return count[name] > most
	})
}

// refuse records why a result is left out. Only the first reason is kept.
func (o *output) refuse(why string) {
	if o.refused == "" {
		o.refused = why
	}
}
