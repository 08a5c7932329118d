package family

import (
	"fmt"

	"github.com/perftrack/perftrack/compare"
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
	p := unseen[0]
	words := fmt.Sprintf("%s proved to have regressed: %s %s in %s", reports.Plural(len(unseen), "benchmark"),
		reports.Printable(p.Name), provedChange(p), provedBy(p.Check))
	if n := len(unseen) - 1; n > 0 {
		words += fmt.Sprintf(" and %d more", n)
	}
	return words
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
		a := action{reports.BenchmarkName(p.Target, p.BenchmarkID), evidence, command("perftrack", "explain", base, head, "--bench", p.Name)}
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
