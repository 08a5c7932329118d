package comparison

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/gates"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/runner/record"
)

// Outcomes returns the outcomes of all tested rows, all limits and all benchmarks without a row. A
// row from unpaired runs counts as regressed only if the gate for unpaired runs says so; otherwise
// it is at most suspect.
func Outcomes(c *compare.Comparison, gate gates.UnpairedRule) (out []reports.Outcome) {
	worse := gates.WorseUnpaired(c, gate)
	for i := range c.Tables {
		t := &c.Tables[i]
		for _, r := range t.Rows {
			if r.Derived || r.Base.N == 0 || r.Head.N == 0 {
				continue // derived from the time, or added by withoutRow
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
	// A CI system must not show success if the trial does not pass its gate.
	if g := gates.Decide(c, gates.Options{Unpaired: gate}); c.Trial() && g.Result != gates.Pass && !slices.ContainsFunc(out, reports.Outcome.Gates) {
		line, _ := census(c)
		out = append(out, reports.Outcome{State: reports.NotChecked, Words: line})
	}
	return out
}

// outcome returns the state, the words and the detail of a row's outcome.
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
	case r.HasDelta() && r.Base.Center != 0:
		words += ", " + reports.PlainChange(r.Delta)
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
		return reports.NotChecked, words, ""
	case compare.Suspect:
		if compare.Direction(int(math.Copysign(1, r.Delta)), r.Better) == compare.Regressed {
			return reports.Suspected, words, ""
		}
	}
	return reports.Undecided, words, ""
}

// allOfIt is the name of an outcome for all benchmarks in a package. It does not include their
// number, because the name must not change from run to run.
const allOfIt = "benchmarks"

// withoutRow returns the outcomes of everything without a row: failures, benchmarks on one side
// only, and unmeasured benchmarks.
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
		out = append(out, reports.Outcome{Target: u.Target, BenchmarkID: u.BenchmarkID, Unit: u.Unit, State: reports.Undecided, Words: "is new in head, so there is nothing to compare it with"})
	}
	for _, u := range c.Cut {
		out = append(out, reports.Outcome{Target: u.Target, BenchmarkID: u.BenchmarkID, Unit: u.Unit, State: reports.NotChecked, Words: "was measured on only one side: interrupted before the other"})
	}
	for _, s := range c.Same {
		out = append(out, reports.Outcome{Target: s.Target, BenchmarkID: record.BenchmarkID{Package: s.Package, Name: allOfIt},
			State: reports.Passed, Words: reports.Plural(s.Benchmarks, "benchmark") + " not measured: " + compare.SamenessOf(s).String()})
	}
	for _, u := range c.Unreached {
		out = append(out, reports.Outcome{Target: u.Target, BenchmarkID: record.BenchmarkID{Package: u.Package, Name: allOfIt},
			State: reports.Passed, Words: reports.Plural(u.Benchmarks, "benchmark") + " not measured: no changed code is reached"})
	}
	for _, s := range c.Starved {
		out = append(out, reports.Outcome{Target: s.Target, BenchmarkID: record.BenchmarkID{Name: allOfIt},
			State: reports.NotChecked, Words: reports.Plural(s.Benchmarks, "benchmark") + " not checked: the budget ran out before the first round"})
	}
	return out
}
