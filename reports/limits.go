package reports

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/runner/limit"
	"github.com/perftrack/perftrack/runner/record"
)

// This file formats limits for reports.

// farOff is the smallest factor between a value and its limit at which they are shown on different
// scales.
const farOff = 1000

// LimitCell shows the median of the samples with its interval. The cell is empty if there are no
// samples.
func LimitCell(unit string, l limit.Limit, j compare.Judged) Cell {
	if j.N == 0 {
		return Cell{}
	}
	scale := ScaleFor(unit, j.Center)
	if bound, _ := l.Bound(unit); bound > 0 && bound < farOff*math.Abs(j.Center) && math.Abs(j.Center) < farOff*bound {
		scale = ScaleFor(unit, j.Center, bound)
	}
	cell := Cell{Text: scale.Format(j.Center), Range: fmt.Sprintf("[%s, %s]", scale.Format(j.Lo), scale.Format(j.Hi))}
	switch {
	case math.IsInf(j.Lo, 0) || math.IsInf(j.Hi, 0):
		cell.Range = "[∞]"
	case j.Lo == j.Hi:
		cell.Range = ""
	}
	return cell
}

// FactorCell shows the factor between a median and its limit: "2.5x to go" if the limit is missed,
// "9.7x to spare" if it is met.
func FactorCell(unit string, l limit.Limit, j compare.Judged) Cell {
	if j.N == 0 {
		return Cell{}
	}
	switch x := l.Factor(j.Center, unit); {
	case math.IsNaN(x):
		return Cell{}
	case x > 1:
		return Cell{Text: timesText(x) + "x to go", Value: x}
	default:
		return Cell{Text: timesText(1/x) + "x to spare", Value: x}
	}
}

// timesText formats a factor with few digits.
func timesText(x float64) string {
	if x >= 100 {
		return decimal(x, 0)
	}
	return AtLeast(2, x)
}

// LimitTable returns a table with one row for each limit, a summary with the number of limits by
// state, worst state first, and the tone of the summary.
func LimitTable(all []compare.RunLimit) (t Table, words string, tone Tone) {
	t = Table{Heading: "Limits", Columns: []Column{
		{Title: "benchmark", Code: true}, {Title: "unit", Code: true}, {Title: "now, median", Right: true}, {Title: "target", Code: true}, {Title: "factor", Right: true}, {Title: "result", Wraps: true},
	}}
	count := map[limit.State]int{}
	for _, l := range all {
		count[l.State]++
		t.Rows = append(t.Rows, []Cell{
			{Text: LimitName(l)}, {Text: l.Unit}, LimitCell(l.Unit, l.Limit, l.Judged), {Text: l.Text}, FactorCell(l.Unit, l.Limit, l.Judged),
			{Text: LimitState(l.Judged), Tone: LimitTone(l.State)},
		})
	}
	tone = Good
	var parts []string
	for _, s := range []struct {
		state limit.State
		tone  Tone
	}{{limit.Met, Good}, {limit.Undecided, Warn}, {limit.Missed, Bad}} {
		if n := count[s.state]; n > 0 {
			parts, tone = append(parts, LimitWords(n, string(s.state))), s.tone
		}
	}
	slices.Reverse(parts)
	return t, strings.Join(parts, ", "), tone
}

// LimitName names the benchmark or scope that a limit applies to. The name for a limit on a whole
// profile mentions the profile.
func LimitName(l compare.RunLimit) string {
	id := l.ID
	if l.On == limit.Profile {
		id.Kind, id.Name = record.Bench, "(whole profile)"
	}
	return BenchmarkName(l.Run.Target, id)
}

// LimitState describes the state of a limit: "met", "undecided (needs 7 samples)".
func LimitState(j compare.Judged) string {
	if j.State == limit.Undecided && j.Needs > 0 {
		return fmt.Sprintf("%s (needs %s)", j.State, Plural(j.Needs, "sample"))
	}
	return string(j.State)
}

// LimitTone returns the tone of a state.
func LimitTone(s limit.State) Tone {
	switch s {
	case limit.Met:
		return Good
	case limit.Missed:
		return Bad
	}
	return Muted
}

// LimitFields describes the result for a limit on one side.
func LimitFields(j *compare.Judged) Object {
	measured := j.N > 0
	return Object{
		{"state", &j.State}, // met, missed or undecided; "" if there are no samples
		{"center", Known(&j.Center, measured)},
		{"lo", Known(&j.Lo, measured)}, // the interval of the median
		{"hi", Known(&j.Hi, measured)},
		{"n", &j.N},
		{"needs", Optional(&j.Needs)}, // number of samples needed for an interval, if there are too few
	}
}

// LimitOutcome completes o, the outcome of a limit on a benchmark. words describes the sides. If
// worse is set, a missed limit makes the check fail.
func LimitOutcome(o Outcome, l limit.Limit, j compare.Judged, worse bool, words string) Outcome {
	shown := LimitCell(o.Unit, l, j).Shown()
	o.Words = strings.TrimSuffix(words+", median "+shown, ", median ")
	o.Unit += " " + l.Text
	switch {
	case j.State == limit.Met:
		o.State = Passed
	case j.State == limit.Missed && worse:
		o.State = Beyond
	case j.State == limit.Missed:
		o.State = Warned
	default:
		o.State = Undecided
	}
	return o
}

// JudgedFields describes the limits on one side, with their results.
func JudgedFields(of limit.List, found []compare.Judged) []Object {
	var out []Object
	for i, l := range of {
		out = append(out, append(Object{{"limit", l.Text}, {"bench", l.Bench}}, LimitFields(&found[i])...))
	}
	return out
}

// JudgedRecord returns the limits of one side and their states as cells of a CSV line.
func JudgedRecord(of limit.List, found []compare.Judged) []any {
	var texts, states []string
	for i, l := range of {
		texts, states = append(texts, l.Text), append(states, string(found[i].State))
	}
	return LimitRecord(texts, states)
}

// LimitRecord returns each list as one cell of a CSV line.
func LimitRecord(columns ...[]string) (line []any) {
	for _, c := range columns {
		line = append(line, strings.Join(c, "; "))
	}
	return line
}

// LimitWords formats a number of limits: "2 limits missed".
func LimitWords(n int, what string) string { return strings.TrimSpace(Plural(n, "limit") + " " + what) }
