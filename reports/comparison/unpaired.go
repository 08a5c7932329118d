package comparison

import (
	"fmt"
	"math"
	"strings"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/digest"
	"github.com/perftrack/perftrack/reports"
)

// unpairedLine summarizes unpaired runs without a verdict. Differing benchmarks are mentioned
// first.
func unpairedLine(c *compare.Comparison, d *digest.Digest) (string, reports.Tone) {
	line := reports.Plural(d.Measured, "unpaired benchmark") + ", no verdict: " + strings.Join(append(unpairedWords(c, d), besides(c, d)...), "; ")
	if differing, _ := differ(c, d); differing > 0 {
		return line, reports.Warn
	}
	return line, reports.Muted
}

// unpairedWords counts the benchmarks that differ but are not suspect, and explains why the tests
// did not or could not make any of them suspect.
func unpairedWords(c *compare.Comparison, d *digest.Digest) (parts []string) {
	n, most := differ(c, d)
	more := ""
	judged := d.Judged()
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
		parts = append(parts, untested(c)+", so nothing can be tested")
	case c.Blind:
		parts = append(parts, fmt.Sprintf("%s per side are too few for %s, so no difference can be suspect", samples(c), reports.Plural(c.Tested, "test")))
	case p > 0 && !judged:
		parts = append(parts, fmt.Sprintf("nothing suspect after correction for %s; %d have p <= %v without it", reports.Plural(c.Tested, "test"), p, c.Options.CompareAlpha))
	}
	return parts
}

// untested explains why no row was tested.
func untested(c *compare.Comparison) string {
	summaries, samples := false, false
	for r := range c.Rows() {
		summaries = summaries || r.Summarized()
		samples = samples || r.Compared()
	}
	switch {
	case summaries && samples:
		return "only summaries or 1 sample per side"
	case summaries:
		return "only summaries"
	}
	return "only 1 sample per side"
}

func differs(n int, more string) string {
	if n == 1 {
		return "1" + more + " differs"
	}
	return fmt.Sprintf("%d%s differ", n, more)
}

// differ counts the benchmarks that differ by their threshold in some unit but are not suspect. It
// also returns the row with the largest finite ratio between the sides, or nil if there is none.
func differ(c *compare.Comparison, d *digest.Digest) (n int, most *compare.Row) {
	all := map[digest.Key]bool{}
	size := func(r *compare.Row) float64 { return math.Abs(math.Log1p(r.Delta)) }
	for r := range c.Rows() {
		if r.Verdict != compare.NoVerdict || r.CorrelatedWith != nil || !r.Differs() {
			continue
		}
		if d.Benchmarks[digest.KeyOf(r)].Verdict == compare.Suspect {
			continue
		}
		all[digest.KeyOf(r)] = true
		if !math.IsInf(size(r), 0) && (most == nil || size(r) > size(most)) {
			most = r
		}
	}
	return len(all), most
}

// samples formats the number of samples of the tested rows on each side: "6 samples", "up to 6
// samples".
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

// significant counts the tested rows for which benchstat shows a delta.
func significant(c *compare.Comparison) (n int) {
	for r := range c.Rows() {
		if r.Tested && r.P <= c.Options.CompareAlpha {
			n++
		}
	}
	return n
}
