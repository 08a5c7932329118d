package runner

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/perf/benchfmt"

	"github.com/perftrack/perftrack/runner/config"
)

// mostIterations is how many package testing gives a benchmark at most where it was asked for a time.
const mostIterations = 1_000_000_000

// benchmarkProcess reports whether the output is that of a process for one benchmark function, by package
// testing: of such a one it is known what it may print.
func (o *output) benchmarkProcess() bool {
	return o.m.Target.Kind == config.GoTest && o.slot.Bench != ""
}

// unasked says why a result is none that the process was asked for, "" if it is one. A benchmark that
// prints results, its own or those of a go test that it runs, must not add samples to another.
func (o *output) unasked(rec *benchfmt.Result) string {
	name := string(rec.Name)
	if !isOf(name, o.slot.Bench) {
		return fmt.Sprintf("printed a result of %s, which it was not asked for", name)
	}
	asked := 0
	if n, counted := strings.CutSuffix(o.m.Benchtime, "x"); counted {
		asked, _ = strconv.Atoi(n)
	}
	switch {
	case asked > 0 && rec.Iters != asked:
		return fmt.Sprintf("printed %d iterations of %s and was asked for %d: a benchmark must not set b.N or print results", rec.Iters, name, asked)
	case rec.Iters > mostIterations:
		return fmt.Sprintf("printed %d iterations of %s, more than package testing asks for: a benchmark must not set b.N or print results", rec.Iters, name)
	}
	return ""
}

// isOf reports whether a result's name is of a benchmark, or of one below it, at any GOMAXPROCS.
func isOf(name, bench string) bool {
	rest, ok := strings.CutPrefix(name, bench)
	if !ok || rest == "" || rest[0] == '/' {
		return ok
	}
	digits, ok := strings.CutPrefix(rest, "-")
	_, err := strconv.ParseUint(digits, 10, 32)
	return ok && err == nil
}

// distrust drops what cannot be told from a result that the program itself made up, and says why: two of
// one name, and all where package testing did not come to its end.
func (o *output) distrust(stdout []byte) {
	if !o.benchmarkProcess() {
		return
	}
	if len(o.results) > 0 && !bytes.Contains(stdout, []byte("PASS\n")) {
		o.refuse("ended its process before package testing did: its results are not believed")
		o.results = nil
	}
	most := 1
	if g, ok := o.m.programs[o.side].(*gotestProgram); ok && g.declaredTwice(o.slot) {
		most = 2
	}
	count := map[string]int{}
	for _, res := range o.results {
		count[string(res.Name)]++
	}
	o.results = slices.DeleteFunc(o.results, func(res *benchfmt.Result) bool {
		name := string(res.Name)
		if count[name] > most {
			o.refuse(fmt.Sprintf("printed %d results of %s, of which package testing made one", count[name], name))
		}
		return count[name] > most
	})
}

// refuse notes why a result was left out, the first time.
func (o *output) refuse(why string) {
	if o.refused == "" {
		o.refused = why
	}
}
