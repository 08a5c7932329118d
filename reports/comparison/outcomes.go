package comparison

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/runner/record"
)

// Outcomes returns what became of each row that was tested, and of what has no row. A row of
// runs measured apart is worse where the gate says so, and else at most suspect.
func Outcomes(c *compare.Comparison, gate compare.ApartGate) (out []reports.Outcome) {
	worse := c.WorseApart(gate)
	for i := range c.Tables {
		t := &c.Tables[i]
		for _, r := range t.Rows {
			if r.Derived || r.Base.N == 0 || r.Head.N == 0 {
				continue // it follows from the time; it is listed below
			}
			o := reports.Outcome{Target: r.Target, BenchmarkID: r.BenchmarkID, Unit: r.Unit}
			o.Trial, _, _ = strings.Cut(t.OfTrial, ",")
			o.State, o.Words, o.Detail = outcome(c, t, r)
			if slices.Contains(worse, r) {
				o.State, o.Words = reports.Regressed, fmt.Sprintf("worse by --gate=%s: %s", gate, o.Words)
			}
			out = append(out, o)
		}
	}
	out = append(out, limitOutcomes(c, gate)...)
	out = append(out, withoutRow(c)...)
	// A page of a CI is never greener than the gate of a trial, whatever that trips on.
	if g := c.Gate(compare.GateOptions{Apart: gate}); c.Trial() && g.Result != compare.Pass && !slices.ContainsFunc(out, reports.Outcome.Gates) {
		line, _ := census(c)
		out = append(out, reports.Outcome{State: reports.Unchecked, Words: line})
	}
	return out
}

// outcome says what became of one row.
func outcome(c *compare.Comparison, t *compare.Table, r *compare.Row) (state reports.State, words, detail string) {
	w := Words(c, t, r)
	words = string(r.Verdict)
	if words == "" {
		words = "no verdict"
	}
	if r.Reason != "" {
		words += " (" + r.Reason + ")"
	}
	switch {
	case w.Change != "":
		words += ", " + w.Change
	case r.Verdict == compare.NotChecked, r.Verdict == compare.NotComparable:
	case r.Compared() && r.Base.Center != 0:
		words += ", " + reports.Percent(r.Delta)
	}
	if w.Measured != "" {
		words += ", " + w.Measured
	}
	words += fmt.Sprintf("; medians %s -> %s", w.Base, w.Head)
	reason, accepted := r.Acceptance()
	switch {
	case r.Verdict == compare.Regressed && accepted:
		return reports.Passed, words, reason
	case c.Settled(r):
		return reports.Undecided, "decided by another trial: " + words, ""
	}
	switch r.Verdict {
	case compare.Regressed:
		return reports.Regressed, words, ""
	case compare.Improved, compare.Unchanged:
		return reports.Passed, words, ""
	case compare.NotChecked:
		return reports.Unchecked, words, ""
	case compare.Suspect:
		if compare.Direction(int(math.Copysign(1, r.Delta)), r.Better) == compare.Regressed {
			return reports.Suspected, words, ""
		}
	}
	return reports.Undecided, words, ""
}

// allOfIt is the name of the benchmarks that have none: their number is in the words, as a name
// stays the same from run to run.
const allOfIt = "benchmarks"

// withoutRow are the outcomes of what has no row: failures, what one side lacks, what was not
// measured.
func withoutRow(c *compare.Comparison) (out []reports.Outcome) {
	broken, unjudged := c.BrokenByHead(), c.FailedTargets()
	for _, f := range c.Failures {
		o := reports.Failed(f.Target, f.Failure)
		o.Words = "failed on the " + string(f.Side) + " side"
		blocks := f.Side == record.Head && (f.Unbuilt() || slices.Contains(broken, f)) || slices.ContainsFunc(unjudged, func(t compare.FailedTarget) bool { return t.Target == f.Target })
		if !blocks {
			o.State = reports.Undecided
		}
		out = append(out, o)
	}
	for _, u := range c.Missing {
		out = append(out, reports.Outcome{Target: u.Target, BenchmarkID: u.BenchmarkID, Unit: u.Unit, State: reports.Missing, Words: "is missing in head"})
	}
	for _, u := range c.New {
		out = append(out, reports.Outcome{Target: u.Target, BenchmarkID: u.BenchmarkID, Unit: u.Unit, State: reports.Undecided, Words: "is new in head: there is nothing to compare it with"})
	}
	for _, u := range c.Cut {
		out = append(out, reports.Outcome{Target: u.Target, BenchmarkID: u.BenchmarkID, Unit: u.Unit, State: reports.Unchecked, Words: "was measured on one side only: interrupted before the other one"})
	}
	for _, s := range c.Same {
		out = append(out, reports.Outcome{Target: s.Target, BenchmarkID: record.BenchmarkID{Package: s.Package, Name: allOfIt},
			State: reports.Passed, Words: reports.Plural(s.Benchmarks, "benchmark") + " not measured: the same machine code on both sides"})
	}
	for _, u := range c.Unreached {
		out = append(out, reports.Outcome{Target: u.Target, BenchmarkID: record.BenchmarkID{Package: u.Package, Name: allOfIt},
			State: reports.Passed, Words: reports.Plural(u.Benchmarks, "benchmark") + " not measured: no changed code can be reached"})
	}
	for _, s := range c.Starved {
		out = append(out, reports.Outcome{Target: s.Target, BenchmarkID: record.BenchmarkID{Name: allOfIt},
			State: reports.Unchecked, Words: reports.Plural(s.Benchmarks, "benchmark") + " not checked: the budget ended before the first round"})
	}
	return out
}
