package reports

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/steps"
	"github.com/perftrack/perftrack/runner/record"
)

// addMarks adds what begins in a row or lies off there, where anything does.
// All but the first unit are named.
func (t *Table) addMarks(rows []commitRow, lines []steps.UnitLine) {
	cells := make([]Cell, len(rows))
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
func marksOf(l steps.UnitLine, r commitRow) (tone Tone, marks []string) {
	for _, p := range r {
		for _, s := range l.Steps {
			if s.First.Run == p.Run.ID {
				size := stepSize(l.Tidied, s.Shift.Center, s.Shift.Absolute)
				if s.Drift > 0 {
					size += " by " + driftText(s)
				}
				marks, tone = append(marks, strings.TrimSpace(string(s.Verdict)+" "+size+" "+paren(stepState(s)))), stepTone(s)
			}
		}
		for _, o := range l.Outliers {
			if o.Run == p.Run.ID {
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
func driftText(s steps.Step) string {
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
func stepState(s steps.Step) string {
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

func stepTone(s steps.Step) Tone {
	switch {
	case s.InForce:
		return Bad
	case s.Verdict == compare.Improved:
		return Good
	}
	return Muted
}

// stepSize is a relative change, or one in the unit.
func stepSize(unit string, x float64, absolute bool) string {
	return change(&compare.Row{Unit: unit, Decision: compare.Decision{Shift: compare.Shift{Absolute: absolute}}}, x)
}

// stepTable lists the steps of an environment, unit by unit and the newest last.
func stepTable(lines []steps.UnitLine) (Table, bool) {
	t := Table{Heading: "Steps", Columns: []Column{
		{Title: "verdict"}, {Title: "unit", Code: true}, {Title: "change", Right: true}, {Title: "from", Right: true}, {Title: "to", Right: true},
		{Title: "after commit", Code: true}, {Title: "up to commit", Code: true}, {Title: "now", Right: true}, {Title: "state"},
	}}
	for _, l := range lines {
		for _, s := range l.Steps {
			scale := scaler(l.Tidied, s.From, s.To)
			t.Rows = append(t.Rows, []Cell{
				{Text: strings.TrimSpace(string(s.Verdict) + " " + paren(driftText(s))), Tone: stepTone(s)}, {Text: l.Tidied}, shiftCellOf(l.Tidied, s.Shift),
				{Text: scale.Format(s.From)}, {Text: scale.Format(s.To)},
				{Text: shownSHA(s.Last.Commit)}, {Text: shownSHA(s.First.Commit)}, {Text: relative(s.Now)}, {Text: stepState(s)},
			})
		}
	}
	return t, len(t.Rows) > 0
}

// addOtherSteps adds the steps that are left of environments without a point:
// those in force there.
func (r *Report) addOtherSteps(s steps.Series, several bool) {
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
		if !ok {
			continue
		}
		t.Facts = []Fact{{Key: "environment", Value: l.Environment}}
		if several {
			t.Facts = append([]Fact{{Key: "series", Value: describeSeries(s)}}, t.Facts...)
		}
		r.Tables = append(r.Tables, t)
		r.remarkSteps(s, s.In(l.Environment))
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
func shiftCellOf(unit string, s compare.Shift) Cell {
	size := func(x float64) string { return stepSize(unit, x, s.Absolute) }
	switch {
	case s.Lo == s.Hi:
		return Cell{Text: size(s.Center), Range: "(exact)"}
	case math.IsInf(s.Lo, 0) || math.IsInf(s.Hi, 0):
		return Cell{Text: size(s.Center), Range: "[∞]"}
	}
	return Cell{Text: size(s.Center), Range: fmt.Sprintf("[%s, %s]", size(s.Lo), size(s.Hi))}
}

// remarkSteps says how the newest regression in force is confirmed.
func (r *Report) remarkSteps(s steps.Series, lines []steps.UnitLine) {
	for _, l := range lines {
		for _, step := range slices.Backward(l.Steps) {
			if step.InForce && step.Last.Commit != "" && step.First.Commit != "" {
				what := "a step is seen in runs measured apart"
				if step.Drift > 0 {
					what = "a drift is seen in runs measured apart, and may be that of the machine"
				}
				r.addRemark(Note{Text: what + "; in a clone that has its commits, measure both sides together with",
					Detail: fmt.Sprintf("perftrack run --rev %s --against %s", shortSHA(step.First.Commit), shortSHA(step.Last.Commit))})
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
func historyRecords(to steps.AnchorCommit, series []steps.Series) [][]any {
	out := [][]any{header(`target kind package suite name unit commit commit_time branch dirty status
		start run_id environment_id center lo hi n line level mark change change_lo change_hi after_commit state anchor drift_runs`)}
	for _, one := range series {
		for _, p := range one.Points {
			for _, s := range p.Benchmark.Samples {
				sum, unit := compare.Summarize(s, p.Run.Exact(s.Unit), confidence)
				line := append(idRecords(one.Target, one.BenchmarkID), unit, p.Run.Commit.SHA, p.Run.Commit.Time, p.Run.Commit.Branch,
					p.Run.Commit.Dirty, p.Run.Status, p.Run.Start, p.Run.ID, p.Run.EnvironmentID)
				line = append(append(line, summaryRecords(sum)...), one.Branch)
				marks, drift := markRecords(one, p, s.Unit)
				out = append(out, append(append(line, marks...), anchorRecord(to), drift))
			}
		}
	}
	return out
}

// markRecords are the columns from level on, and that of a drift.
func markRecords(s steps.Series, p record.HistoryPoint, unit string) (out []any, drift any) {
	out = make([]any, 7)
	for _, l := range s.In(p.Run.EnvironmentID) {
		at := slices.IndexFunc(l.Runs, func(m steps.Point) bool { return m.Run == p.Run.ID })
		if l.Unit != unit || at < 0 {
			continue
		}
		for _, v := range l.Levels {
			if v.First <= at && at < v.End {
				out[0] = v.Center
			}
		}
		if v, ok := l.DriftAt(at); ok && out[0] == nil {
			out[0] = v
		}
		for _, o := range l.Outliers {
			if o.Run == p.Run.ID {
				out[1], out[2] = "outlier", o.Change
				if o.Open {
					out[6] = "open"
				}
			}
		}
		for _, step := range l.Steps {
			if step.First.Run == p.Run.ID {
				out[1], out[2], out[3], out[4] = step.Verdict, step.Shift.Center, step.Shift.Lo, step.Shift.Hi
				out[5], out[6] = step.Last.Commit, stepState(step)
				drift = driftRecord(step)
			}
		}
	}
	return out, drift
}

func driftRecord(s steps.Step) any {
	if s.Drift == 0 {
		return nil
	}
	return s.Drift
}
