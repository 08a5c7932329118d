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

// provedWords say of how many benchmarks a check or a bisection proved that they regressed,
// where the history is too short to show it; "" of none.
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
		words += ", by " + record.ShortHash(found)
	}
	if n := len(unseen) - 1; n > 0 {
		words += fmt.Sprintf(" and %d more", n)
	}
	return words
}

// largestFirst orders changes: of times before those of anything else, the largest first.
func largestFirst(unit string, shift stat.Shift, otherUnit string, other stat.Shift) int {
	rank := func(unit string) int {
		if unit == "sec/op" {
			return 0
		}
		return 1
	}
	size := func(s stat.Shift) float64 { return math.Round(1000 * math.Abs(s.Center)) } // as it is shown
	return cmp.Or(rank(unit)-rank(otherUnit), cmp.Compare(size(other), size(shift)))
}

// provedChange is the change that matters most.
func provedChange(p steps.Proved) string {
	row := p.Check.Worst()
	return row.Tidied + " " + reports.Change(row.Tidied, row.Shift.Center, row.Shift.Absolute)
}

// provedBy names a check: what it was, and of which commits.
func provedBy(c *steps.Checked) string {
	kind := "a check"
	if c.Search {
		kind = "a bisection"
	}
	return fmt.Sprintf("%s of %s against %s", kind, record.ShortHash(c.Head.SHA), record.ShortHash(c.Base.SHA))
}

// proved are the regressions that a check or a bisection proved and no step shows. Those of the
// comparison that is described have a rule of their own.
func proved(v *view) (out []action) {
	for _, p := range v.Regressions.Unseen() {
		if v.isCompared(p) {
			continue
		}
		row := p.Check.Worst()
		evidence := fmt.Sprintf("%s in %s, %s, %s", provedChange(p), provedBy(p.Check), reports.Day(p.Check.Time), reports.Plural(row.Rounds, "round"))
		base, head := record.ShortHash(p.Check.Base.SHA), record.ShortHash(p.Check.Head.SHA)
		a := action{on: reports.BenchmarkName(p.Target, p.BenchmarkID), evidence: evidence, command: command("perftrack", "explain", base, head, "--bench", p.Name)}
		if found := p.Check.Found; found.Commit != "" {
			out = append(out, v.afterSearch(a, p.Target, p.BenchmarkID, found))
			continue
		}
		out = append(out, v.keptOf(p.Target, p.BenchmarkID, base, head).explained(a))
	}
	return out
}

// isCompared reports whether the comparison that is described says that a benchmark regressed
// between the commits of the check.
func (v *view) isCompared(p steps.Proved) bool {
	if v.Compared == nil || sideCommit(v.Compared.Base) != record.ShortHash(p.Check.Base.SHA) || sideCommit(v.Compared.Head) != record.ShortHash(p.Check.Head.SHA) {
		return false
	}
	row := v.rows[rowKey{p.Target, p.BenchmarkID, p.Check.Worst().Tidied}]
	return row != nil && row.Verdict == compare.Regressed
}

// foundOf is what a bisection found of a unit of a benchmark: of a step in force, or of what was proved.
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

// afterSearch is an action on what a bisection found the commit of: nobody has to search again.
func (v *view) afterSearch(a action, target string, id record.BenchmarkID, found steps.Found) action {
	before, commit := record.ShortHash(found.Before), record.ShortHash(found.Commit)
	a.what = "mend it, or accept it: its commit is found"
	a.evidence += "; by " + commit + ", as a bisection found"
	a.command = command("perftrack", "explain", before, commit, "--bench", id.Name)
	return v.keptOf(target, id, before, commit).explained(a)
}
