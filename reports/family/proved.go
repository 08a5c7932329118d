package family

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/stat"
	"github.com/perftrack/perftrack/compare/steps"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/runner/record"
)

// provedWords describes the regressions proven by a check or a bisection before the history shows
// them, or returns "".
func (v *view) provedWords() string {
	unseen := v.Regressions.Unseen()
	if len(unseen) == 0 {
		return ""
	}
	p := slices.MinFunc(unseen, func(a, b steps.Proved) int {
		x, y := a.Check.Worst(), b.Check.Worst()
		return largestFirst(x.Tidied, x.Shift, y.Tidied, y.Shift)
	})
	words := fmt.Sprintf("%s proved to have regressed: %s %s in %s", reports.Plural(len(unseen), "benchmark"),
		reports.Printable(p.Name), provedChange(p), provedBy(p.Check))
	if found := p.Check.Found.Commit; found != "" {
		words += ", caused by " + record.ShortHash(found)
	}
	if n := len(unseen) - 1; n > 0 {
		words += fmt.Sprintf(" and %d more", n)
	}
	return words
}

// largestFirst compares two changes. Changes in time come before all others, and larger changes
// before smaller ones.
func largestFirst(unit string, shift stat.Shift, otherUnit string, other stat.Shift) int {
	rank := func(unit string) int {
		if unit == "sec/op" {
			return 0
		}
		return 1
	}
	size := func(s stat.Shift) float64 { return math.Round(1000 * math.Abs(s.Center)) } // rounded as in reports
	return cmp.Or(rank(unit)-rank(otherUnit), cmp.Compare(size(other), size(shift)))
}

// provedChange describes the most important proved change of a benchmark.
func provedChange(p steps.Proved) string {
	row := p.Check.Worst()
	return row.Tidied + " " + reports.Change(row.Tidied, row.Shift.Center, row.Shift.Absolute)
}

// provedBy describes a check by its kind and its commits.
func provedBy(c *steps.Checked) string {
	kind := "a check"
	if c.Search {
		kind = "a bisection"
	}
	return fmt.Sprintf("%s of %s against %s", kind, record.ShortHash(c.Head.SHA), record.ShortHash(c.Base.SHA))
}

// proved finds the regressions proven by a check or a bisection but without a step in the history.
// It leaves out those in the newest comparison, because another rule finds them.
func proved(v *view) (out []action) {
	for _, p := range v.Regressions.Unseen() {
		if v.isCompared(p) {
			continue
		}
		row := p.Check.Worst()
		evidence := fmt.Sprintf("%s in %s, %s, %s", provedChange(p), provedBy(p.Check), reports.Day(p.Check.Time), reports.Plural(row.Rounds, "round"))
		base, head := record.ShortHash(p.Check.Base.SHA), record.ShortHash(p.Check.Head.SHA)
		a := action{on: reports.BenchmarkName(p.Target, p.BenchmarkID), evidence: evidence, command: v.explainFunctions(p.Target, base, head, p.Name)}
		if found := p.Check.Found; found.Commit != "" {
			out = append(out, v.afterSearch(a, p.Target, p.BenchmarkID, found))
			continue
		}
		out = append(out, v.keptOf(p.Target, p.BenchmarkID, base, head).explained(a))
	}
	return out
}

// isCompared reports whether the newest comparison is between the commits of p's check and shows
// the same regression.
func (v *view) isCompared(p steps.Proved) bool {
	if v.Compared == nil || v.Compared.Base.Revision() != record.ShortHash(p.Check.Base.SHA) || v.Compared.Head.Revision() != record.ShortHash(p.Check.Head.SHA) {
		return false
	}
	row := v.rows[rowKey{p.Target, p.BenchmarkID, p.Check.Worst().Tidied}]
	return row != nil && row.Verdict == compare.Regressed
}

// foundOf returns the commit found by a bisection for a benchmark in a unit. The bisection belongs
// to an unresolved step or to a proved regression. foundOf returns an empty value if there is none.
func (v *view) foundOf(target string, id record.BenchmarkID, unit string) steps.Found {
	for _, r := range v.Regressions.List {
		if r.Target == target && r.BenchmarkID == id && r.Tidied == unit && r.Step.Found.Commit != "" {
			return r.Step.Found
		}
	}
	for _, p := range v.Regressions.Proved {
		if row := p.Check.Worst(); p.Target == target && p.BenchmarkID == id && row != nil && row.Tidied == unit {
			return p.Check.Found
		}
	}
	return steps.Found{}
}

// afterSearch removes the search from an action about a regression, because a bisection has found
// the commit.
func (v *view) afterSearch(a action, target string, id record.BenchmarkID, found steps.Found) action {
	before, commit := record.ShortHash(found.Before), record.ShortHash(found.Commit)
	a.what = "fix it or accept it: its commit is known"
	a.evidence += "; a bisection found that " + commit + " caused it"
	a.command = v.explainFunctions(target, before, commit, id.Name)
	return v.keptOf(target, id, before, commit).explained(a)
}
