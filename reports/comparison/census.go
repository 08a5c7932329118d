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
// rows. One that improved by one row while another is open counts as improved, and the line says
// that the rest of it is undecided: see fate.partly.
var fates = []compare.Verdict{
	compare.Regressed, compare.NotChecked, compare.NotComparable, compare.Suspect, compare.Changed, compare.Inconclusive, compare.Improved, nested, compare.Unchanged,
}

// A benchmark of a comparison.
type benchmark struct {
	target string
	record.BenchmarkID
}

// A fate is what became of a benchmark.
type fate struct {
	worst     int  // of its rows, as a place in fates
	regressed bool // by a row that nobody accepted
	improved  bool // by one of its rows
	open      []string
}

// partly reports whether one row improved while nothing worse is known of the others than that
// they are open. It counts as improved, and that goes with it.
func (f fate) partly() bool {
	return f.improved && (fates[f.worst] == compare.NotChecked || fates[f.worst] == compare.Inconclusive)
}

// fatesOf returns what became of each benchmark.
func fatesOf(c *compare.Comparison) map[benchmark]fate {
	all := map[benchmark]fate{}
	for r := range c.Rows() {
		b, v := benchmark{r.Target, r.BenchmarkID}, r.Verdict
		if r.CorrelatedWith != nil {
			v = nested
		}
		place := slices.Index(fates, v)
		if place < 0 || c.Settled(r) {
			continue
		}
		f, known := all[b]
		if !known || place < f.worst {
			f.worst = place
		}
		f.regressed = f.regressed || v == compare.Regressed && !r.Accepted()
		f.improved = f.improved || v == compare.Improved
		if (v == compare.Inconclusive || v == compare.NotChecked) && !slices.Contains(f.open, r.Unit) {
			f.open = append(f.open, r.Unit)
		}
		all[b] = f
	}
	return all
}

// Counted counts benchmarks by what became of them: "5 benchmarks: 2 regressed, 3 unchanged".
func Counted(c *compare.Comparison) string {
	line, _ := census(c)
	return line
}

// census sums a comparison up in a line that counts benchmarks: "5 benchmarks: 2 regressed, 3
// unchanged". Where no row has a verdict it is that of every report.
func census(c *compare.Comparison) (string, reports.Tone) {
	line, tone := withLimits(c)
	all := fatesOf(c)
	if len(all) == 0 || !c.Trial() && !judged(c) {
		return success(c, line), tone
	}
	counts, accepted := map[compare.Verdict]int{}, 0
	for _, s := range c.Starved {
		counts[compare.NotChecked] += s.Benchmarks
	}
	starved := counts[compare.NotChecked]
	var partly []fate
	for _, f := range all {
		v := fates[f.worst]
		if f.partly() {
			v, partly = compare.Improved, append(partly, f)
		}
		if counts[v]++; v == compare.Regressed && !f.regressed {
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
			if v == compare.Improved && len(partly) > 0 {
				part += " (" + partlyWords(partly, n) + ")"
			}
			parts = append(parts, part)
		}
	}
	if n := counts[nested]; n > 0 {
		parts = append(parts, fmt.Sprintf("%d nested in those", n))
	}
	text := reports.Plural(len(all)+starved, "benchmark")
	if !c.Trial() { // where most have no verdict
		text = reports.Plural(benchmarks(c), "benchmark") + " measured apart"
	}
	said := append([]string{strings.Join(parts, ", ")}, besides(c)...)
	if !c.Trial() {
		said = append(said, apartWords(c)...)
	}
	text += ": " + strings.Join(said, "; ")
	if limits, _ := limitWords(c); len(limits) > 0 {
		text += "; " + strings.Join(limits, ", ")
	}
	return text, tone
}

// partlyWords says which rows are open of the benchmarks that improved, which are n in all: "2 of
// them undecided in sec/op".
func partlyWords(partly []fate, n int) string {
	var units []string
	for _, f := range partly {
		for _, u := range f.open {
			if !slices.Contains(units, u) {
				units = append(units, u)
			}
		}
	}
	slices.SortFunc(units, record.CompareUnits)
	of := strings.Join(units, ", ")
	switch {
	case n == 1:
		return "its " + of + " undecided"
	case n == len(partly):
		return "their " + of + " undecided"
	}
	return fmt.Sprintf("%d of them undecided in %s", len(partly), of)
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
	if len(c.Tables) == 0 && len(c.Same)+len(c.Unreached) > 0 && c.Gate(compare.GateOptions{Strict: true}).Result == compare.Pass {
		return "ok, nothing got slower: " + line
	}
	return line
}
