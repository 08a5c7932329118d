package history

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/stat"
	"github.com/perftrack/perftrack/compare/steps"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/runner/record"
)

// addMarks adds a column with the steps and the outliers in each row, if there are any. The column
// names the unit of each, except for the first unit.
func addMarks(t *reports.Table, rows []commitRow, lines []steps.UnitLine) {
	cells := make([]reports.Cell, len(rows))
	marked := false
	for i, r := range rows {
		var words []string
		for k, l := range lines {
			tone, marks := marksOf(l, r)
			if k > 0 {
				for j := range marks {
					marks[j] = l.Tidied + " " + marks[j]
				}
			}
			if words = append(words, marks...); cells[i].Tone == reports.Plain {
				cells[i].Tone = tone
			}
		}
		cells[i].Text = strings.Join(words, ", ")
		marked = marked || len(words) > 0
	}
	if marked {
		t.Columns = append(t.Columns, reports.Column{Title: "mark", Wraps: true})
		t.AddColumn(cells)
	}
}

// marksOf describes the steps and outliers of a row in one unit, and returns the tone for them.
func marksOf(l steps.UnitLine, r commitRow) (tone reports.Tone, marks []string) {
	for _, p := range r {
		for _, s := range l.Steps {
			if s.First.Run == p.Run.ID {
				size := reports.Change(l.Tidied, s.Shift.Center, s.Shift.Absolute)
				mark := string(s.Verdict) + " " + size
				if s.Drift > 0 { // not caused by a single commit
					mark = "drift " + size + " over " + reports.Plural(s.Drift, "run") + ", " + string(s.Verdict)
				}
				marks, tone = append(marks, strings.TrimSpace(mark+" "+paren(stepState(s)))), stepTone(s)
			}
		}
		for _, o := range l.Outliers {
			if o.Run == p.Run.ID {
				word := "outlier "
				if o.Open {
					word = reports.NewestOff + " "
				}
				size := reports.PlainChange(o.Change)
				if o.FromZero() {
					size = "from 0"
				}
				marks = append(marks, word+size)
				if tone == reports.Plain {
					tone = reports.Warn
				}
			}
		}
	}
	return tone, marks
}

// driftText gives the number of runs of a drift. It returns "" for any other step.
func driftText(s steps.Step) string {
	if s.Drift == 0 {
		return ""
	}
	return "drift over " + reports.Plural(s.Drift, "run")
}

// verdictText describes the verdict on a step, and whether the step is a drift.
func verdictText(s steps.Step) string {
	if s.Drift == 0 {
		return string(s.Verdict)
	}
	return driftText(s) + ", " + string(s.Verdict)
}

func paren(s string) string {
	if s == "" {
		return ""
	}
	return "(" + s + ")"
}

// stepState describes the state of a regression, or a step that undid one. It returns "" for other
// steps.
func stepState(s steps.Step) string {
	switch {
	case s.Accepted:
		return "accepted"
	case s.Unresolved:
		return "unresolved"
	case s.Verdict == compare.Regressed:
		return "resolved"
	case s.Recovers:
		return "recovered"
	}
	return ""
}

func stepTone(s steps.Step) reports.Tone {
	switch {
	case s.Unresolved:
		return reports.Bad
	case s.Verdict == compare.Improved && !s.Recovers:
		return reports.Good
	}
	return reports.Muted
}

// stepTable lists the steps in an environment, unit by unit, newest last. It returns false if
// there are none.
func stepTable(lines []steps.UnitLine) (reports.Table, bool) {
	t := reports.Table{Heading: "Steps", Columns: []reports.Column{
		{Title: "verdict", Wraps: true}, {Title: "unit", Code: true}, {Title: "change", Right: true, Brief: "intervals of change"},
		{Title: "from", Right: true, Extra: true, Rank: 1}, {Title: "to", Right: true, Extra: true, Rank: 1},
		{Title: "after commit", Code: true}, {Title: "up to commit", Code: true, Hash: true, Blame: true}, {Title: "now", Right: true, Extra: true}, {Title: "state", Wraps: true}, {Title: "found by bisection", Code: true},
	}}
	for _, l := range lines {
		for _, s := range l.Steps {
			scale := reports.ScaleFor(l.Tidied, s.From, s.To)
			t.Rows = append(t.Rows, []reports.Cell{
				{Text: verdictText(s), Tone: stepTone(s)}, {Text: l.Tidied}, stepCell(l.Tidied, s.Shift),
				{Text: scale.Format(s.From)}, {Text: scale.Format(s.To)},
				{Text: reports.HashOrDash(s.Last.Commit)}, {Text: reports.HashOrDash(s.First.Commit)}, {Text: relative(s.Now)}, {Text: stepState(s)}, {Text: shortOrEmpty(s.Found.Commit)},
			})
		}
	}
	if len(t.Rows) > 0 && t.Empty(9) {
		t = t.Without(9)
	}
	return t, len(t.Rows) > 0
}

// outsideWords lists the steps before the rows shown, one step per line.
func outsideWords(lines []steps.UnitLine) (words []string) {
	for _, l := range lines {
		for _, s := range l.Outside {
			scale := reports.ScaleFor(l.Tidied, s.From, s.To)
			state := stepState(s)
			if state != "" {
				state = ", " + state
			}
			words = append(words, fmt.Sprintf("  %s %s %s, %s → %s, in %s..%s%s", verdictText(s), reports.Change(l.Tidied, s.Shift.Center, s.Shift.Absolute), l.Tidied,
				scale.Format(s.From), scale.Format(s.To), reports.HashOrDash(s.Last.Commit), reports.HashOrDash(s.First.Commit), state))
		}
	}
	if len(words) == 0 {
		return nil
	}
	return append([]string{reports.Plural(len(words), "step") + " before the rows shown:"}, words...)
}

// addOtherSteps adds the steps in environments without a point in the report.
func addOtherSteps(r *reports.Report, s steps.Series, several bool) {
	done := map[string]bool{}
	for _, p := range s.Points {
		done[p.Run.EnvironmentID] = true
	}
	for _, l := range s.Lines {
		if done[l.Environment] {
			continue
		}
		done[l.Environment] = true
		t, ok := stepTable(s.In(l.Environment))
		if t.Below = outsideWords(s.In(l.Environment)); !ok {
			if t.Below == nil {
				continue
			}
			t.Heading, t.Columns = "", nil
		}
		t.Facts = []reports.Fact{{Key: "environment", Value: l.Environment}}
		if several {
			t.Facts = append([]reports.Fact{{Key: "series", Value: description(s)}}, t.Facts...)
		}
		r.Tables = append(r.Tables, t)
		remarkSteps(r, s, s.In(l.Environment))
	}
}

// relative formats a relative change. It returns "" if the change is not finite.
func relative(x float64) string {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return ""
	}
	return reports.PlainChange(x)
}

// stepCell returns a cell with the size of a step and, if known, its interval.
func stepCell(unit string, s stat.Shift) reports.Cell {
	return reports.EstimateCell(unit, s, s.Lo == s.Hi)
}

// together reports whether both sides of a step were measured together, either in a trial or by the
// series' newest check.
func together(s steps.Series, step steps.Step) bool {
	last, first := step.Last.Commit, step.First.Commit
	if s.Check != nil && s.Check.Base.SHA == last && s.Check.Head.SHA == first {
		return true
	}
	trials := map[string]bool{}
	for _, p := range s.Points {
		if p.Run.Trial != "" && p.Run.Commit.SHA == last {
			trials[p.Run.Trial] = true
		}
	}
	return slices.ContainsFunc(s.Points, func(p record.HistoryPoint) bool { return trials[p.Run.Trial] && p.Run.Commit.SHA == first })
}

// remarkSteps adds a remark about the newest unresolved regression: how it was confirmed, or a
// command to confirm it. For a step in a unit without a direction, it tells how to declare one.
func remarkSteps(r *reports.Report, s steps.Series, lines []steps.UnitLine) {
	for _, l := range lines {
		for _, step := range slices.Backward(l.Steps) {
			if step.Verdict == compare.Changed && l.Better == 0 {
				addRemark(r, reports.Note{Text: compare.NoDirection, Detail: l.Unit})
				break
			}
			if step.Unresolved && step.Last.Commit != "" && step.First.Commit != "" {
				if step.Found.Commit != "" {
					addRemark(r, foundNote(step.Found))
					return
				}
				if together(s, step) {
					addRemark(r, reports.Note{Text: "both sides of a step were measured together; for the result, run",
						Detail: fmt.Sprintf("perftrack compare %s %s", record.ShortHash(step.Last.Commit), record.ShortHash(step.First.Commit))})
					return
				}
				kind := "the step comes from unpaired runs"
				if step.Drift > 0 {
					kind = "the drift comes from unpaired runs, and the machine may be its cause"
				}
				addRemark(r, reports.Note{Text: kind + "; in a clone that has its commits, measure both sides together with",
					Detail: fmt.Sprintf("perftrack run --rev %s --against %s", record.ShortHash(step.First.Commit), record.ShortHash(step.Last.Commit))})
				return
			}
		}
	}
}

// shortOrEmpty returns the short hash of a commit, or "" if sha is "".
func shortOrEmpty(sha string) string {
	if sha == "" {
		return ""
	}
	return record.ShortHash(sha)
}

// foundNote returns a note naming the commit found by a bisection.
func foundNote(f steps.Found) reports.Note {
	return reports.Note{Text: "a bisection found the cause, " + record.ShortHash(f.Commit), Detail: fmt.Sprintf("perftrack compare %s %s", record.ShortHash(f.Before), record.ShortHash(f.Commit))}
}

// addRemark adds a remark unless the report already has a remark.
func addRemark(r *reports.Report, n reports.Note) {
	if len(r.Remarks) == 0 {
		r.Remarks = append(r.Remarks, n)
	}
}
