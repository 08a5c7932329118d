package comparison

import (
	"fmt"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/runner/record"
)

// nested is what became of a benchmark that only shows the change of another one.
const nested compare.Verdict = "nested"

// fates are what can become of a benchmark, worst first: it counts once, as the worst of its
// rows. A row that is open comes before one that improved, since that is a promise for all of
// the benchmark.
var fates = []compare.Verdict{
	compare.Regressed, compare.NotChecked, compare.Suspect, compare.Changed, compare.Inconclusive, compare.Improved, nested, compare.Unchanged,
}

// A benchmark of a comparison.
type benchmark struct {
	target string
	record.BenchmarkID
}

// fatesOf returns what became of each benchmark, as places in fates, and which of those that
// regressed have a row that nobody accepted.
func fatesOf(c *compare.Comparison) (all map[benchmark]int, open map[benchmark]bool) {
	all, open = map[benchmark]int{}, map[benchmark]bool{}
	for r := range c.Rows() {
		b, v := benchmark{r.Target, r.BenchmarkID}, r.Verdict
		if r.CorrelatedWith != nil {
			v = nested
		}
		place := slices.Index(fates, v)
		if place < 0 || c.Settled(r) {
			continue
		}
		if worst, ok := all[b]; !ok || place < worst {
			all[b] = place
		}
		open[b] = open[b] || v == compare.Regressed && !r.Accepted()
	}
	return all, open
}

// census sums a comparison up in a line that counts benchmarks: "5 benchmarks: 2 regressed, 3
// unchanged". Where no row has a verdict it is that of every report.
func census(c *compare.Comparison) (string, reports.Tone) {
	line, tone := withLimits(c)
	all, open := fatesOf(c)
	if len(all) == 0 {
		return success(c, line), tone
	}
	counts, accepted := map[compare.Verdict]int{}, 0
	for b, place := range all {
		counts[fates[place]]++
		if fates[place] == compare.Regressed && !open[b] {
			accepted++
		}
	}
	var parts []string
	for _, v := range compare.Verdicts {
		if n := counts[v]; n > 0 {
			part := fmt.Sprintf("%d %s", n, v)
			if v == compare.Regressed && accepted > 0 {
				part += fmt.Sprintf(" (%d accepted)", accepted)
			}
			parts = append(parts, part)
		}
	}
	if n := counts[nested]; n > 0 {
		parts = append(parts, fmt.Sprintf("%d nested in those", n))
	}
	text := reports.Plural(len(all), "benchmark")
	if !c.Trial() { // where most have no verdict
		text = reports.Plural(benchmarks(c), "benchmark") + " measured apart"
	}
	text += ": " + strings.Join(append([]string{strings.Join(parts, ", ")}, besides(c)...), "; ")
	if limits, _ := limitWords(c); len(limits) > 0 {
		text += "; " + strings.Join(limits, ", ")
	}
	return text, tone
}

// benchmarks counts those that have a row.
func benchmarks(c *compare.Comparison) int {
	all := map[benchmark]bool{}
	for r := range c.Rows() {
		all[benchmark{r.Target, r.BenchmarkID}] = true
	}
	return len(all)
}

// besides counts what has no verdict.
func besides(c *compare.Comparison) []string {
	parts, _ := onOneSide(c)
	if n := settledRows(c, compare.Inconclusive) + settledRows(c, compare.NotChecked); n > 0 {
		parts = append(parts, reports.Plural(n, "row")+" decided by another trial")
	}
	same, unreached := 0, 0
	for _, s := range c.Same {
		same += s.Benchmarks
	}
	for _, u := range c.Unreached {
		unreached += u.Benchmarks
	}
	if same > 0 {
		parts = append(parts, fmt.Sprintf("%d not measured, of the same machine code", same))
	}
	if unreached > 0 {
		parts = append(parts, fmt.Sprintf("%d not measured, reaching no changed code", unreached))
	}
	return parts
}

// success opens a line that says that there was nothing to measure as what it is.
func success(c *compare.Comparison, line string) string {
	rows := 0
	for range c.Rows() {
		rows++
	}
	if rows == 0 && len(c.Same)+len(c.Unreached) > 0 && len(c.Failures) == 0 && !c.LostCoverage() {
		return "ok, nothing got slower: " + line
	}
	return line
}
