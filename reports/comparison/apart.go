package comparison

import (
	"fmt"
	"math"
	"strings"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/reports"
)

// apartLine sums up runs that were measured apart where nothing is suspect: first what differs.
func apartLine(c *compare.Comparison) (string, reports.Tone) {
	line := reports.Plural(benchmarks(c), "benchmark") + " measured apart, no verdict: " + strings.Join(append(apartWords(c), besides(c)...), "; ")
	if differing, _ := differ(c); differing > 0 {
		return line, reports.Warn
	}
	return line, reports.Muted
}

// apartWords say how many benchmarks differ that are not suspect, and what the tests could tell of it.
func apartWords(c *compare.Comparison) (parts []string) {
	n, most := differ(c)
	more := ""
	judged := judged(c)
	if judged {
		more = " more"
	}
	switch {
	case n > 0 && most != nil:
		parts = append(parts, fmt.Sprintf("%s by the threshold or more, most %s %s %s",
			differs(n, more), most.Name, most.Unit, reports.PlainChange(most.Delta)))
	case n > 0:
		parts = append(parts, differs(n, more)+" from a value of 0")
	case !judged:
		parts = append(parts, "none differs by the threshold")
	}
	switch p := significant(c); {
	case c.Tested == 0 && (n > 0 || !judged):
		parts = append(parts, "1 sample a side, no test possible")
	case c.Blind:
		parts = append(parts, fmt.Sprintf("%s a side are too few for %s, so no difference could be suspect", samples(c), reports.Plural(c.Tested, "test")))
	case p > 0 && !judged:
		parts = append(parts, fmt.Sprintf("nothing suspect after correction for %s, %d at p <= %v without it", reports.Plural(c.Tested, "test"), p, c.Options.CompareAlpha))
	}
	return parts
}

// judged reports whether a row has a verdict, of any that does not show the change of another one.
func judged(c *compare.Comparison) bool {
	for _, f := range fatesOf(c) {
		if fates[f.worst] != nested {
			return true
		}
	}
	return false
}

func differs(n int, more string) string {
	if n == 1 {
		return "1" + more + " differs"
	}
	return fmt.Sprintf("%d%s differ", n, more)
}

// differ counts the benchmarks that nothing of is suspect and that differ by their threshold in a unit, and returns the row
// that differs most; nil where no change is a ratio.
func differ(c *compare.Comparison) (n int, most *compare.Row) {
	all, suspect := map[benchmark]bool{}, fatesOf(c)
	size := func(r *compare.Row) float64 { return math.Abs(math.Log1p(r.Delta)) }
	for r := range c.Rows() {
		if r.Verdict != compare.NoVerdict || r.CorrelatedWith != nil || !r.Differs() {
			continue
		}
		b := benchmark{r.Target, r.BenchmarkID}
		if f, known := suspect[b]; known && fates[f.worst] == compare.Suspect {
			continue
		}
		all[b] = true
		if !math.IsInf(size(r), 0) && (most == nil || size(r) > size(most)) {
			most = r
		}
	}
	return len(all), most
}

// samples is how many the tested rows have on a side: "6 samples", "up to 6 samples".
func samples(c *compare.Comparison) string {
	least, most := math.MaxInt, 0
	for r := range c.Rows() {
		if r.Tested {
			least, most = min(least, r.Base.N, r.Head.N), max(most, r.Base.N, r.Head.N)
		}
	}
	if least < most {
		return "up to " + reports.Plural(most, "sample")
	}
	return reports.Plural(most, "sample")
}

// significant counts the tested rows for which benchstat would show a delta.
func significant(c *compare.Comparison) (n int) {
	for r := range c.Rows() {
		if r.Tested && r.P <= c.Options.CompareAlpha {
			n++
		}
	}
	return n
}
