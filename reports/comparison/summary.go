package comparison

import (
	"fmt"
	"strings"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/digest"
	"github.com/perftrack/perftrack/compare/gates"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/reports/comparison/rowcells"
)

// Summary returns the summary line of every report, which counts the verdicts and then the limits,
// and its tone.
func Summary(c *compare.Comparison) (string, reports.Tone) { return withLimits(c) }

// withLimits counts verdicts and limits in one line.
func withLimits(c *compare.Comparison) (string, reports.Tone) {
	line, tone := verdictLine(c)
	parts, worst := limitWords(c)
	if len(parts) == 0 {
		return line, tone
	}
	if worst == reports.Bad || worst == reports.Warn && tone != reports.Bad {
		tone = worst
	}
	return line + "; " + strings.Join(parts, ", "), tone
}

// verdictLine counts the rows by verdict in one line.
func verdictLine(c *compare.Comparison) (string, reports.Tone) {
	d := digest.Of(c, gates.Options{})
	rows, compared := 0, 0
	for r := range c.Rows() {
		rows++
		if r.HasDelta() {
			compared++
		}
	}
	onOne, lost := onOneSide(c, d)
	if d.Starved > 0 {
		onOne, lost = append([]string{reports.Plural(d.Starved, "benchmark") + " not checked"}, onOne...), true
	}
	switch {
	case rows == 0 && d.Unreached > 0 && len(onOne) == 0:
		return fmt.Sprintf("no benchmark reaches changed code: nothing to measure (%s)", reports.Plural(d.SameCode+d.Unreached, "benchmark")), reports.Good
	case rows == 0 && d.SameCode > 0 && len(onOne) == 0:
		return fmt.Sprintf("%s: nothing to measure (%s)", compare.SamenessOf(c.Same...), reports.Plural(d.SameCode, "benchmark")), reports.Good
	case compared == 0 && c.Trial() && len(onOne) > 0:
		if d.SameCode > 0 {
			onOne = append(onOne, reports.Plural(d.SameCode, "benchmark")+" with the same code")
		}
		if d.Unreached > 0 {
			onOne = append(onOne, unreachedText(d.Unreached))
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
	tone := reports.Muted
	for _, v := range compare.Verdicts {
		n, accepted := d.Rows[v], ""
		if more := d.Rows[digest.Accepted]; v == compare.Regressed && more > 0 {
			n, accepted = n+more, fmt.Sprintf(" (%d accepted)", more)
		}
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s%s", n, v, accepted))
			switch {
			case tone != reports.Muted:
			case d.Rows[v] == 0: // all of them are accepted
				tone = reports.Warn
			default:
				tone = rowcells.VerdictTone(v)
			}
		}
	}
	if d.Starved > 0 {
		parts = append(parts, reports.Plural(d.Starved, "benchmark")+" without a round")
	}
	if d.SameCode > 0 {
		parts = append(parts, reports.Plural(d.SameCode, "benchmark")+" with the same code")
	}
	if d.Unreached > 0 {
		parts = append(parts, unreachedText(d.Unreached))
	}
	if d.Settled > 0 {
		parts = append(parts, reports.Plural(d.Settled, "row")+" decided by another trial")
	}
	if n := d.Rows[digest.Nested]; n > 0 {
		parts = append(parts, reports.Plural(n, "nested row")+" not counted again")
	}
	switch {
	case len(parts) > 0:
		return strings.Join(parts, ", "), tone
	case c.Trial():
		return "no verdict", reports.Muted
	}
	return unpairedLine(c, d)
}

// unreachedText counts benchmarks that reach no changed code.
func unreachedText(n int) string {
	if n == 1 {
		return "1 benchmark reaches no changed code"
	}
	return fmt.Sprintf("%d benchmarks reach no changed code", n)
}
