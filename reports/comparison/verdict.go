package comparison

import (
	"fmt"
	"strings"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/reports"
)

// Summary counts the verdicts, and the limits behind them, in the line that every report of a
// comparison has.
func Summary(c *compare.Comparison) (string, reports.Tone) { return withLimits(c) }

// verdictLine counts the verdicts in one line.
func verdictLine(c *compare.Comparison) (string, reports.Tone) {
	rows, compared := 0, 0
	for r := range c.Rows() {
		rows++
		if r.Compared() {
			compared++
		}
	}
	same, unreached := 0, 0
	for _, s := range c.Same {
		same += s.Benchmarks
	}
	for _, u := range c.Unreached {
		unreached += u.Benchmarks
	}
	starved := 0
	for _, s := range c.Starved {
		starved += s.Benchmarks
	}
	onOne, lost := onOneSide(c)
	if starved > 0 {
		onOne, lost = append([]string{reports.Plural(starved, "benchmark") + " not checked"}, onOne...), true
	}
	switch {
	case rows == 0 && unreached > 0 && len(onOne) == 0:
		return fmt.Sprintf("no benchmark reaches changed code: nothing to measure (%s)", reports.Plural(same+unreached, "benchmark")), reports.Good
	case rows == 0 && same > 0 && len(onOne) == 0:
		return fmt.Sprintf("the same machine code on both sides: nothing to measure (%s)", reports.Plural(same, "benchmark")), reports.Good
	case compared == 0 && c.Trial() && len(onOne) > 0:
		if same > 0 {
			onOne = append(onOne, reports.Plural(same, "benchmark")+" of the same code")
		}
		if unreached > 0 {
			onOne = append(onOne, unreachedText(unreached))
		}
		if lost {
			return strings.Join(onOne, ", "), reports.Warn
		}
		return strings.Join(onOne, ", "), reports.Good
	case rows == 0:
		return "no benchmarks to compare", reports.Warn
	case compared == 0:
		return "nothing could be compared", reports.Warn
	}
	var parts []string
	tone, folded := reports.Muted, 0
	for _, v := range compare.Verdicts {
		if n := c.Count(v) - settledRows(c, v); n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n-c.Folded(v), v)+intended(c, v))
			folded += c.Folded(v)
			if tone == reports.Muted {
				tone = verdictTone(v)
			}
		}
	}
	if starved > 0 {
		parts = append(parts, reports.Plural(starved, "benchmark")+" without a round")
	}
	if same > 0 {
		parts = append(parts, reports.Plural(same, "benchmark")+" of the same code")
	}
	if unreached > 0 {
		parts = append(parts, unreachedText(unreached))
	}
	if n := settledRows(c, compare.Inconclusive) + settledRows(c, compare.NotChecked); n > 0 {
		parts = append(parts, reports.Plural(n, "row")+" decided by another trial")
	}
	if folded > 0 {
		parts = append(parts, reports.Plural(folded, "nested row")+" not counted again")
	}
	switch {
	case len(parts) > 0:
		return strings.Join(parts, ", "), tone
	case c.Trial():
		return "no verdict", reports.Muted
	}
	return apartLine(c)
}

// unreachedText counts the benchmarks that reach no changed code.
func unreachedText(n int) string {
	if n == 1 {
		return "1 benchmark reaches no changed code"
	}
	return fmt.Sprintf("%d benchmarks reach no changed code", n)
}

// settledRows counts the rows with the verdict whose benchmark another trial decided.
func settledRows(c *compare.Comparison, v compare.Verdict) (n int) {
	for r := range c.Rows() {
		if r.Verdict == v && c.Settled(r) {
			n++
		}
	}
	return n
}

// onOneSide says how many benchmarks only one side has, and whether any was lost.
func onOneSide(c *compare.Comparison) (parts []string, lost bool) {
	for _, side := range []struct {
		n    int
		word string
	}{{whole(c.New), "new"}, {whole(c.Cut), "interrupted before both sides were measured"}, {c.CountMissing(), "missing in head"}} {
		if side.n > 0 {
			parts = append(parts, reports.Plural(side.n, "benchmark")+" "+side.word)
		}
	}
	parts = append(parts, failedParts(c)...)
	if words := UntriedWords(c); words != "" {
		parts = append(parts, words)
	}
	return parts, len(c.Missing)+len(c.Cut)+len(c.Failures)+len(c.Untried) > 0
}

// whole counts the benchmarks that one side lacks altogether, not only in one unit.
func whole(list []compare.Unpaired) (n int) {
	for _, u := range list {
		if u.Unit == "" {
			n++
		}
	}
	return n
}

// intended says how many of the changes with the verdict were accepted: those do not fail
// a check.
func intended(c *compare.Comparison, v compare.Verdict) string {
	n := 0
	for r := range c.Rows() {
		if r.Verdict == v && r.CorrelatedWith == nil && r.Accepted() {
			n++
		}
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(" (%d accepted)", n)
}
