package reports

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/compare"
)

// A HistoryLine is what the runs of a series in one environment show of one
// unit: its levels, steps and outliers, by the ids of the runs.
type HistoryLine struct {
	Environment string // an EnvironmentID
	Unit        string // as stored
	Tidied      string // as shown
	compare.Course
}

// in returns the lines of one environment.
func (s HistorySeries) in(environment string) []HistoryLine {
	return slices.DeleteFunc(slices.Clone(s.Lines), func(l HistoryLine) bool { return l.Environment != environment })
}

// addMarks adds what begins in a row or lies off there, where anything does.
// All but the first unit are named.
func (t *Table) addMarks(rows []commitRow, lines []HistoryLine) {
	cells := make([]Cell, len(rows))
	marked := false
	for i, r := range rows {
		var words []string
		for k, l := range lines {
			tone, marks := l.marks(r)
			if k > 0 {
				for j := range marks {
					marks[j] = l.Tidied + " " + marks[j]
				}
			}
			if words = append(words, marks...); cells[i].Tone == Plain {
				cells[i].Tone = tone
			}
		}
		cells[i].Text = strings.Join(words, ", ")
		marked = marked || len(words) > 0
	}
	if marked {
		t.Columns = append(t.Columns, Column{Title: "mark"})
		t.addColumn(cells)
	}
}

// marks says what a line has in a row.
func (l HistoryLine) marks(r commitRow) (tone Tone, marks []string) {
	for _, p := range r {
		for _, s := range l.Steps {
			if s.First.Run == p.RunID {
				size := stepSize(l, s.Shift.Center, s.Shift.Absolute)
				if s.Drift > 0 {
					size += " by " + driftText(s)
				}
				marks, tone = append(marks, strings.TrimSpace(string(s.Verdict)+" "+size+" "+paren(stepState(s)))), stepTone(s)
			}
		}
		for _, o := range l.Outliers {
			if o.Run == p.RunID {
				word := "outlier "
				if o.Open {
					word = "outlier or new level "
				}
				marks = append(marks, word+percent(o.Change))
				if tone == Plain {
					tone = Warn
				}
			}
		}
	}
	return tone, marks
}

// driftText says how long a drift took; nothing of a step.
func driftText(s compare.Step) string {
	if s.Drift == 0 {
		return ""
	}
	return "drift over " + plural(s.Drift, "run")
}

func paren(s string) string {
	if s == "" {
		return ""
	}
	return "(" + s + ")"
}

// stepState says what became of a step; nothing of one that is no regression.
func stepState(s compare.Step) string {
	switch {
	case s.Accepted:
		return "accepted"
	case s.InForce:
		return "in force"
	case s.Verdict == compare.Regressed:
		return "no longer in force"
	}
	return ""
}

func stepTone(s compare.Step) Tone {
	switch {
	case s.InForce:
		return Bad
	case s.Verdict == compare.Improved:
		return Good
	}
	return Muted
}

// stepSize is a relative change, or one in the line's unit.
func stepSize(l HistoryLine, x float64, absolute bool) string {
	return change(&compare.Row{Unit: l.Tidied, Decision: compare.Decision{Shift: compare.Shift{Absolute: absolute}}}, x)
}

// stepTable lists the steps of an environment, unit by unit and the newest last.
func stepTable(lines []HistoryLine) (Table, bool) {
	t := Table{Heading: "Steps", Columns: []Column{
		{Title: "verdict"}, {Title: "unit", Code: true}, {Title: "change", Right: true}, {Title: "from", Right: true}, {Title: "to", Right: true},
		{Title: "after commit", Code: true}, {Title: "up to commit", Code: true}, {Title: "now", Right: true}, {Title: "state"},
	}}
	for _, l := range lines {
		for _, s := range l.Steps {
			scale := scaler(l.Tidied, s.From, s.To)
			t.Rows = append(t.Rows, []Cell{
				{Text: strings.TrimSpace(string(s.Verdict) + " " + paren(driftText(s))), Tone: stepTone(s)}, {Text: l.Tidied}, shiftCellOf(l, s.Shift),
				{Text: scale.Format(s.From)}, {Text: scale.Format(s.To)},
				{Text: shownSHA(s.Last.Commit)}, {Text: shownSHA(s.First.Commit)}, {Text: relative(s.Now)}, {Text: stepState(s)},
			})
		}
	}
	return t, len(t.Rows) > 0
}

// addOtherSteps adds the steps that are left of environments without a point:
// those in force there.
func (r *Report) addOtherSteps(s HistorySeries, several bool) {
	done := map[string]bool{}
	for _, p := range s.Points {
		done[p.Env.EnvironmentID()] = true
	}
	for _, l := range s.Lines {
		if done[l.Environment] {
			continue
		}
		done[l.Environment] = true
		t, ok := stepTable(s.in(l.Environment))
		if !ok {
			continue
		}
		t.Facts = []Fact{{"environment", l.Environment}}
		if several {
			t.Facts = append([]Fact{{"series", s.describe()}}, t.Facts...)
		}
		r.Tables = append(r.Tables, t)
		r.remarkSteps(s, s.in(l.Environment))
	}
}

// relative is a relative change, "" of nothing.
func relative(x float64) string {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return ""
	}
	return percent(x)
}

// shiftCellOf is the size of a step with its interval. Of single values there
// is none, and of too few it is open.
func shiftCellOf(l HistoryLine, s compare.Shift) Cell {
	size := func(x float64) string { return stepSize(l, x, s.Absolute) }
	switch {
	case s.Lo == s.Hi:
		return Cell{Text: size(s.Center), Range: "(exact)"}
	case math.IsInf(s.Lo, 0) || math.IsInf(s.Hi, 0):
		return Cell{Text: size(s.Center), Range: "[∞]"}
	}
	return Cell{Text: size(s.Center), Range: fmt.Sprintf("[%s, %s]", size(s.Lo), size(s.Hi))}
}

// remarkSteps says how the newest regression in force is confirmed.
func (r *Report) remarkSteps(s HistorySeries, lines []HistoryLine) {
	for _, l := range lines {
		for _, step := range slices.Backward(l.Steps) {
			if step.InForce && step.Last.Commit != "" && step.First.Commit != "" {
				what := "a step is seen in runs measured apart"
				if step.Drift > 0 {
					what = "a drift is seen in runs measured apart, and may be that of the machine"
				}
				r.addRemark(Note{what + "; in a clone that has its commits, measure both sides together with",
					fmt.Sprintf("perftrack run --rev %s --against %s", shortSHA(step.First.Commit), shortSHA(step.Last.Commit))})
				return
			}
		}
	}
}

func (r *Report) addRemark(n Note) {
	if len(r.Remarks) == 0 {
		r.Remarks = append(r.Remarks, n)
	}
}

// historyRecords has one line a run and unit: what it measured, the level it is
// on, what begins or lies off there, and the commit that ratios are to.
func historyRecords(to *Anchor, series []HistorySeries) [][]any {
	out := [][]any{header(`target kind package suite name unit commit commit_time branch dirty status
		start run_id environment_id center lo hi n line level mark change change_lo change_hi after_commit state anchor drift_runs`)}
	for _, one := range series {
		for _, p := range one.Points {
			for _, s := range p.Samples {
				sum, unit := compare.Summarize(s, slices.Contains(p.Exact, s.Unit), confidence)
				line := append(idRecords(one.Target, one.BenchmarkID), unit, p.Commit.SHA, p.Commit.Time, p.Commit.Branch,
					p.Commit.Dirty, p.Status, p.Start, p.RunID, p.Env.EnvironmentID())
				line = append(append(line, summaryRecords(sum)...), one.Branch)
				marks, drift := one.markRecords(p, s.Unit)
				out = append(out, append(append(line, marks...), anchorRecord(to), drift))
			}
		}
	}
	return out
}

// markRecords are the columns from level on, and that of a drift.
func (s HistorySeries) markRecords(p HistoryPoint, unit string) (out []any, drift any) {
	out = make([]any, 7)
	for _, l := range s.in(p.Env.EnvironmentID()) {
		at := slices.IndexFunc(l.Runs, func(m compare.Measured) bool { return m.Run == p.RunID })
		if l.Unit != unit || at < 0 {
			continue
		}
		for _, v := range l.Levels {
			if v.First <= at && at < v.End {
				out[0] = v.Center
			}
		}
		if v, ok := l.drifting(at); ok && out[0] == nil {
			out[0] = v
		}
		for _, o := range l.Outliers {
			if o.Run == p.RunID {
				out[1], out[2] = "outlier", o.Change
				if o.Open {
					out[6] = "open"
				}
			}
		}
		for _, step := range l.Steps {
			if step.First.Run == p.RunID {
				out[1], out[2], out[3], out[4] = step.Verdict, step.Shift.Center, step.Shift.Lo, step.Shift.Hi
				out[5], out[6] = step.Last.Commit, stepState(step)
				drift = driftRecord(step)
			}
		}
	}
	return out, drift
}

func driftRecord(s compare.Step) any {
	if s.Drift == 0 {
		return nil
	}
	return s.Drift
}

// drifting is what a drift says that a run within it has.
func (l HistoryLine) drifting(at int) (float64, bool) {
	for _, s := range l.Steps {
		over := slices.IndexFunc(l.Runs, func(m compare.Measured) bool { return m.Run == s.First.Run })
		if begin := over - s.Drift; s.Drift > 0 && begin <= at && at <= over {
			return s.From * math.Pow(s.To/s.From, float64(at-begin)/float64(s.Drift)), true
		}
	}
	return 0, false
}

// A RegressionRow is a step for the worse that is in force.
type RegressionRow struct {
	HistorySeries // without points
	Line          HistoryLine
	Step          compare.Step
	Date          string
	Since         string // date of the commit that a drift began after
}

// Regressions lists the regressions in force, in the order given: of ratios
// where there is an anchor. What was searched says what that there is none means.
func Regressions(to *Anchor, rows []RegressionRow, from Searched) Report {
	t := Table{Columns: []Column{
		{Title: "date"}, {Title: "benchmark", Code: true}, {Title: "unit", Code: true}, {Title: "change", Right: true}, {Title: "now", Right: true},
		{Title: "by"}, {Title: "after commit", Code: true}, {Title: "up to commit", Code: true}, {Title: "branch", Code: true, Extra: true}, {Title: "environment", Code: true, Extra: true},
	}}
	for _, r := range rows {
		size := shiftCellOf(r.Line, r.Step.Shift)
		size.Tone = Bad
		t.Rows = append(t.Rows, []Cell{
			{Text: r.dates()}, {Text: qualified(r.Target, r.BenchmarkID)}, {Text: r.Line.Tidied}, size, {Text: relative(r.Step.Now)},
			{Text: driftText(r.Step)}, {Text: shownSHA(r.Step.Last.Commit)}, {Text: shownSHA(r.Step.First.Commit)}, {Text: r.Branch}, {Text: r.Line.Environment},
		})
	}
	if t.empty(5) {
		t = t.without(5)
	}
	r := Report{
		Title: "Regressions in force", Tables: []Table{t},
		kind:     "regressions",
		document: func() Object { return regressionsDocument(to, rows, from) },
		records:  func() [][]any { return regressionRecords(to, rows) },
	}
	if len(rows) == 0 {
		r.Tables = nil
	}
	r.Summary, r.Tone = from.summary(len(rows))
	r.Remarks = from.remarks()
	r.addAnchor(to)
	return r
}

// dates are when a step came in, or from when to when a drift went on.
func (r RegressionRow) dates() string {
	if r.Step.Drift == 0 || r.Since == "" || r.Since == r.Date {
		return r.Date
	}
	return r.Since + " to " + r.Date
}

func regressionRecords(to *Anchor, rows []RegressionRow) [][]any {
	out := [][]any{header(`target kind package suite name unit date after_commit up_to_commit from to
		change change_lo change_hi change_absolute now line environment_id anchor drift_runs since`)}
	for _, r := range rows {
		s := r.Step
		line := append(idRecords(r.Target, r.BenchmarkID), r.Line.Tidied, r.Date, s.Last.Commit, s.First.Commit, s.From, s.To)
		out = append(out, append(line, s.Shift.Center, s.Shift.Lo, s.Shift.Hi, s.Shift.Absolute, s.Now,
			r.Branch, r.Line.Environment, anchorRecord(to), driftRecord(s), r.Since))
	}
	return out
}
