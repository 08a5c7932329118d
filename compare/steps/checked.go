package steps

import (
	"slices"
	"time"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/stat"
	"github.com/perftrack/perftrack/runner/record"
)

// A Checked is what a check decided about one benchmark: a trial proves with the runs of two
// commits what a line shows only when many more were measured.
type Checked struct {
	Base, Head record.Commit
	Time       time.Time // when its last run was begun
	Search     bool      // it was part of a bisection
	Found      Found     // what a bisection found between Base and Head of the unit that matters most
	Rows       []CheckedRow
}

// A Found is the commit that a bisection found to have made a benchmark worse, and the one before
// it that it was measured against: whole hashes, "" without one.
type Found struct{ Commit, Before string }

// A Proved is a benchmark that a check found changed, and that was not measured after its head.
type Proved struct {
	Target string
	record.BenchmarkID
	Check *Checked
}

// A CheckedRow is one unit of a benchmark that a check tested.
type CheckedRow struct {
	Tidied   string // the unit, as shown
	Verdict  compare.Verdict
	Accepted bool       // a regression that was
	Shift    stat.Shift // how far head lies above base
	Rounds   int
	ByMean   bool // the mean of all slices changed, whose shift this is, and no typical round
}

// Worst is the row that matters most: what regressed and was not accepted, what was accepted, then what
// improved; of several the time. It is nil where the check found none of these.
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

// Regressed reports whether a check proved that a benchmark regressed, which nobody accepted.
func (p Proved) Regressed() bool {
	row := p.Check.Worst()
	return row != nil && row.Verdict == compare.Regressed && !row.Accepted
}

// Unseen are the benchmarks that a check proved to have regressed in a unit of which no
// regression is in force in the histories.
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
