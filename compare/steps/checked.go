package steps

import (
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
	Rows       []CheckedRow
}

// A CheckedRow is one unit of a benchmark that a check tested.
type CheckedRow struct {
	Tidied   string // the unit, as shown
	Verdict  compare.Verdict
	Accepted bool       // a regression that was
	Shift    stat.Shift // how far head lies above base
	Rounds   int
}

// Worst is the row that matters most: what regressed and was not accepted, what was accepted, then what
// improved. It is nil where the check found none of these.
func (c *Checked) Worst() *CheckedRow {
	if c == nil {
		return nil
	}
	rank := func(r CheckedRow) int {
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
		if r := &c.Rows[i]; rank(*r) < 3 && (worst == nil || rank(*r) < rank(*worst)) {
			worst = r
		}
	}
	return worst
}
