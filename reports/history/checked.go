package history

import (
	"fmt"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/steps"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/runner/record"
)

// checkedState returns the newest state of a benchmark proven by a check or a bisection. The text
// of the state names the check or the bisection. ok is false if nothing is proven.
func checkedState(o steps.Outline) (s benchmarkState, ok bool) {
	row := o.Check.Worst()
	if row == nil {
		return s, false
	}
	text := checkedWords(row) + " in " + checkedBy(o.Check)
	if found := o.Check.Found.Commit; found != "" && found != o.Check.Head.SHA {
		text += ", by " + record.ShortHash(found)
	}
	first := len(o.Lines) == 0 || row.Tidied == o.Lines[0].Tidied
	if !first {
		text = row.Tidied + " " + text
	}
	size := sizeOf(row.Shift.Center)
	switch {
	case row.Accepted:
		return benchmarkState{accepted, text, reports.Plain, size, o.Check, first}, true
	case row.Verdict == compare.Regressed:
		return benchmarkState{worse, text, reports.Bad, size, o.Check, first}, true
	}
	return benchmarkState{better, text, reports.Good, size, o.Check, first}, true
}

// checkedWords describes the verdict of a check in one unit, including the change.
func checkedWords(r *steps.CheckedRow) string {
	change := " " + reports.Change(r.Tidied, r.Shift.Center, r.Shift.Absolute)
	switch {
	case r.Accepted:
		if r.ByMean {
			return "accepted (mean)" + change
		}
		return "accepted" + change
	case r.Verdict == compare.Regressed, r.Verdict == compare.Improved:
		if r.ByMean {
			return string(r.Verdict) + " (mean)" + change
		}
		return string(r.Verdict) + change
	}
	return string(r.Verdict)
}

func checkedBy(c *steps.Checked) string {
	if c.Search {
		return "a bisection"
	}
	return "a check"
}

// checkCommand returns the command to show the result of a check.
func checkCommand(c *steps.Checked) string {
	return fmt.Sprintf("perftrack compare %s %s", record.ShortHash(c.Base.SHA), record.ShortHash(c.Head.SHA))
}

// remarkCheck adds a remark about a check's proof for a benchmark, because the history may have too
// few runs to show it as a step.
func remarkCheck(r *reports.Report, c *steps.Checked) {
	if c == nil {
		return
	}
	words := make([]string, len(c.Rows))
	for i := range c.Rows {
		words[i] = c.Rows[i].Tidied + " " + checkedWords(&c.Rows[i])
	}
	text := fmt.Sprintf("%s of %s on %s found: %s", checkedBy(c), record.ShortHash(c.Head.SHA), reports.Day(c.Time), strings.Join(words, ", "))
	r.Remarks = append(r.Remarks, reports.Note{Text: text, Detail: checkCommand(c)})
	if c.Found.Commit != "" && c.Found.Commit != c.Head.SHA && !slices.ContainsFunc(r.Remarks, func(n reports.Note) bool { return n == foundNote(c.Found) }) {
		r.Remarks = append(r.Remarks, foundNote(c.Found))
	}
}

// provedNotes describes the regressions proven by a check or a bisection but without a step in the
// history.
func provedNotes(all steps.Regressions) (notes []reports.Note) {
	unseen := all.Unseen()
	for _, p := range unseen[:min(len(unseen), shownProved)] {
		row := p.Check.Worst()
		text := fmt.Sprintf("%s: %s %s in %s on %s", reports.BenchmarkName(p.Target, p.BenchmarkID), row.Tidied, checkedWords(row), checkedBy(p.Check), reports.Day(p.Check.Time))
		if found := p.Check.Found.Commit; found != "" {
			text += "; a bisection found the cause, " + record.ShortHash(found)
		}
		notes = append(notes, reports.Note{Text: text, Detail: checkCommand(p.Check)})
	}
	if n := len(unseen) - shownProved; n > 0 {
		notes = append(notes, reports.Note{Text: fmt.Sprintf("%d more were proved to have regressed", n), Detail: "perftrack list"})
	}
	return notes
}

// shownProved is the maximum number of proven regressions to describe.
const shownProved = 5
