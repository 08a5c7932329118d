package steps

import (
	"slices"
	"time"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/stat"
	"github.com/perftrack/perftrack/runner/record"
)

// Checked is a check's decision about one benchmark. From the runs of two commits, a trial can
// prove a change long before a history shows it.
type Checked struct {
	Base, Head record.Commit
	Time       time.Time // start time of its last run
	Search     bool      // it was part of a bisection
	Found      Found     // the culprit that a bisection found between Base and Head, for the most important unit
	Rows       []CheckedRow
}

// A Found is the commit that made a benchmark worse, according to a bisection, and the earlier
// commit it was measured against. Both are full hashes or "".
type Found struct{ Commit, Before string }

// A Proved is a benchmark that a check found to have changed and that no later run measured.
type Proved struct {
	Target string
	record.BenchmarkID
	Check *Checked
}

// A CheckedRow is one unit of a benchmark in a check.
type CheckedRow struct {
	Tidied   string // the unit, as shown
	Verdict  compare.Verdict
	Accepted bool       // an accepted regression
	Shift    stat.Shift // the change from base to head
	Rounds   int
	ByMean   bool // Shift belongs to the mean of all slices; the typical round did not change
}

// Worst returns the most important row: a regression, else an accepted regression, else an
// improvement. Of several units, it prefers time. It returns nil if there is no such row.
func (c *Checked) Worst() *CheckedRow {
	if c == nil {
		return nil
	}
	rank := func(r *CheckedRow) int {
		switch {
		case r.Verdict == compare.Regressed && !r.Accepted:
			return 0
		case r.Verdict == compare.Regressed:
			return 1
		case r.Verdict == compare.Improved:
			return 2
		}
		return 3
	}
	var worst *CheckedRow
	for i := range c.Rows {
		r := &c.Rows[i]
		switch {
		case rank(r) == 3 || worst != nil && rank(r) > rank(worst):
		case worst == nil || rank(r) < rank(worst) || r.Tidied == "sec/op":
			worst = r
		}
	}
	return worst
}

// Regressed reports whether the check proved an unaccepted regression.
func (p Proved) Regressed() bool {
	row := p.Check.Worst()
	return row != nil && row.Verdict == compare.Regressed && !row.Accepted
}

// Unseen returns the benchmarks with a regression in a unit proven by a check but not shown by the
// histories.
func (r Regressions) Unseen() (out []Proved) {
	for _, p := range r.Proved {
		if p.Regressed() && !slices.ContainsFunc(r.List, func(one Regression) bool {
			return one.Target == p.Target && one.BenchmarkID == p.BenchmarkID && one.Tidied == p.Check.Worst().Tidied
		}) {
			out = append(out, p)
		}
	}
	return out
}
