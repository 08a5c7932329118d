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

// checkedState is what was proved last, and by what: a check or a bisection.
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

// checkedWords say what was decided about one unit.
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

// checkCommand shows a check again.
func checkCommand(c *steps.Checked) string {
	return fmt.Sprintf("perftrack compare %s %s", record.ShortHash(c.Base.SHA), record.ShortHash(c.Head.SHA))
}

// remarkCheck says what was proved of the benchmark, which its runs may be too few to show.
func remarkCheck(r *reports.Report, c *steps.Checked) {
	if c == nil {
		return
	}
	words := make([]string, len(c.Rows))
	for i := range c.Rows {
		words[i] = c.Rows[i].Tidied + " " + checkedWords(&c.Rows[i])
	}
	text := fmt.Sprintf("of %s %s of %s says: %s", record.ShortHash(c.Head.SHA), checkedBy(c), reports.Day(c.Time), strings.Join(words, ", "))
	r.Remarks = append(r.Remarks, reports.Note{Text: text, Detail: checkCommand(c)})
	if c.Found.Commit != "" && c.Found.Commit != c.Head.SHA && !slices.ContainsFunc(r.Remarks, func(n reports.Note) bool { return n == foundNote(c.Found) }) {
		r.Remarks = append(r.Remarks, foundNote(c.Found))
	}
}

// provedNotes say of each benchmark what was proved, as far as no step shows it yet.
func provedNotes(all steps.Regressions) (notes []reports.Note) {
	unseen := all.Unseen()
	for _, p := range unseen[:min(len(unseen), shownProved)] {
		row := p.Check.Worst()
		text := fmt.Sprintf("%s %s in %s of %s, of %s", row.Tidied, checkedWords(row), checkedBy(p.Check), reports.Day(p.Check.Time), reports.BenchmarkName(p.Target, p.BenchmarkID))
		if found := p.Check.Found.Commit; found != "" {
			text += ", by " + record.ShortHash(found) + ", as a bisection found"
		}
		notes = append(notes, reports.Note{Text: text, Detail: checkCommand(p.Check)})
	}
	if n := len(unseen) - shownProved; n > 0 {
		notes = append(notes, reports.Note{Text: fmt.Sprintf("%d more were proved to have regressed", n), Detail: "perftrack list"})
	}
	return notes
}

// shownProved is of how many benchmarks notes say what was proved.
const shownProved = 5
