package comparison

import (
	"fmt"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/digest"
	"github.com/perftrack/perftrack/compare/gates"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/runner/record"
)

// Counted counts benchmarks by verdict: "5 benchmarks: 2 regressed, 3 unchanged".
func Counted(c *compare.Comparison) string {
	line, _ := census(c)
	return line
}

// census counts benchmarks by verdict in one line: "5 benchmarks: 2 regressed, 3 unchanged". If no
// unpaired run has a verdict, or if there are no benchmarks, it returns the line of [Summary]
// instead.
func census(c *compare.Comparison) (string, reports.Tone) {
	line, tone := withLimits(c)
	d := digest.Of(c, gates.Options{})
	if len(d.Benchmarks) == 0 || !c.Trial() && !d.Judged() {
		return success(c, line), tone
	}
	var parts []string
	for _, v := range compare.Verdicts {
		n := d.Counts[v]
		if v == compare.Regressed {
			n += d.Counts[digest.Accepted]
		}
		if n == 0 {
			continue
		}
		part := fmt.Sprintf("%d %s", n, v)
		if accepted := d.Counts[digest.Accepted]; v == compare.Regressed && accepted > 0 {
			part += fmt.Sprintf(" (%d accepted)", accepted)
		}
		if v == compare.Improved {
			part += partlyWords(d)
		}
		parts = append(parts, part)
	}
	if n := d.Counts[digest.Nested]; n > 0 {
		parts = append(parts, fmt.Sprintf("%d nested in these", n))
	}
	text := reports.Plural(len(d.Benchmarks)+d.Starved, "benchmark")
	if !c.Trial() { // most benchmarks of unpaired runs have no verdict
		text = reports.Plural(d.Measured, "unpaired benchmark")
	}
	said := append([]string{strings.Join(parts, ", ")}, besides(c, d)...)
	if !c.Trial() {
		said = append(said, unpairedWords(c, d)...)
	}
	text += ": " + strings.Join(said, "; ")
	if limits, _ := limitWords(c); len(limits) > 0 {
		text += "; " + strings.Join(limits, ", ")
	}
	return text, tone
}

// partlyWords names the undecided units of the improved benchmarks: " (2 of them undecided in
// sec/op)".
func partlyWords(d *digest.Digest) string {
	var units []string
	partly, n := 0, d.Counts[compare.Improved]
	for _, b := range d.Benchmarks {
		if b.Verdict != compare.Improved || len(b.Open) == 0 {
			continue
		}
		partly++
		for _, u := range b.Open {
			if !slices.Contains(units, u) {
				units = append(units, u)
			}
		}
	}
	slices.SortFunc(units, record.CompareUnits)
	of := strings.Join(units, ", ")
	switch {
	case partly == 0:
		return ""
	case n == 1:
		return " (its " + of + " undecided)"
	case n == partly:
		return " (their " + of + " undecided)"
	}
	return fmt.Sprintf(" (%d of them undecided in %s)", partly, of)
}

// besides describes the benchmarks and rows without a verdict, by cause.
func besides(c *compare.Comparison, d *digest.Digest) []string {
	parts, _ := onOneSide(c, d)
	if d.Settled > 0 {
		parts = append(parts, reports.Plural(d.Settled, "row")+" decided by another trial")
	}
	if d.SameCode > 0 {
		parts = append(parts, fmt.Sprintf("%d not measured (%s)", d.SameCode, compare.SamenessOf(c.Same...).Brief()))
	}
	if d.Unreached > 0 {
		parts = append(parts, fmt.Sprintf("%d not measured (no changed code reached)", d.Unreached))
	}
	return parts
}

// success puts "ok" in front of the line if the comparison passed because there was nothing to
// measure.
func success(c *compare.Comparison, line string) string {
	if len(c.Tables) == 0 && len(c.Same)+len(c.Unreached) > 0 && gates.Decide(c, gates.Options{Strict: true}).Result == gates.Pass {
		return "ok, nothing got slower: " + line
	}
	return line
}

// onOneSide counts the benchmarks without a result on one or both sides, by cause. lost reports
// whether any of them is missing for a reason other than being new.
func onOneSide(c *compare.Comparison, d *digest.Digest) (parts []string, lost bool) {
	for _, side := range []struct {
		n    int
		word string
	}{{d.New, "new"}, {d.Cut, "interrupted before both sides were measured"}, {d.Missing, "missing in head"}} {
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
