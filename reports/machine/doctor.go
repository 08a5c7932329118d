// Package machine reports what a machine does to measuring: [Doctor] says what makes timings
// noisy, [Calibrations] what a check can find in spite of it. Begin with doctor.go.
package machine

import (
	"fmt"
	"time"

	"github.com/perftrack/perftrack/reports"
)

// A Doctor says what makes timings noisy on a machine, and how noisy they are.
type Doctor struct {
	Machine    []reports.Fact
	Conditions []Condition
	Noise      []NoiseFigure
}

// A Condition is something that timings depend on. Its state is quiet, noisy or unknown;
// a noisy one has a remedy.
type Condition struct {
	Name   string
	State  string
	Found  string
	Remedy string
}

// A NoiseFigure is how much the time varied of work that was the same each time. CV is
// the standard deviation over the mean, Worst the slowest slice over the median, Slow the
// share of slices more than 10 % slower than the median.
type NoiseFigure struct {
	Work   string
	Slices int
	Median time.Duration
	CV     float64
	Worst  float64
	Slow   float64
	Quiet  bool
}

// Report returns the diagnosis, with each remedy as a footnote of its condition.
func (d Doctor) Report() reports.Report {
	r := reports.Report{
		Title: "Doctor", Facts: d.Machine,
		Kind:     "doctor",
		Document: d.document,
		Records:  d.records,
	}
	notes := &reports.Footnotes{}
	r.Tables = []reports.Table{d.noiseTable(), d.conditionTable(notes)}
	r.Notes = notes.Notes
	r.Summary, r.Tone = d.summary()
	return r
}

func (d Doctor) noiseTable() reports.Table {
	t := reports.Table{
		Heading: "noise of fixed work",
		Columns: []reports.Column{{Title: "work"}, {Title: "slices", Right: true, Extra: true}, {Title: "median", Right: true}, {Title: "CV", Right: true},
			{Title: "worst", Right: true}, {Title: "over 10 % slow", Right: true}, {Title: "verdict"}},
	}
	for _, n := range d.Noise {
		verdict := reports.Cell{Text: "quiet", Tone: reports.Good}
		if !n.Quiet {
			verdict = reports.Cell{Text: "noisy", Tone: reports.Warn}
		}
		t.Rows = append(t.Rows, []reports.Cell{
			{Text: n.Work}, {Text: fmt.Sprint(n.Slices)}, {Text: n.Median.Round(time.Microsecond).String()}, {Text: unsigned(n.CV)},
			{Text: fmt.Sprintf("%.2fx", n.Worst)}, {Text: unsigned(n.Slow)}, verdict,
		})
	}
	return t
}

func (d Doctor) conditionTable(notes *reports.Footnotes) reports.Table {
	t := reports.Table{
		Heading: "conditions",
		Columns: []reports.Column{{Title: "condition"}, {Title: "state"}, {Title: "found", Code: true, Wraps: true}},
	}
	for _, c := range d.Conditions {
		state := reports.Cell{Text: c.State}
		switch {
		case c.Remedy != "":
			state.Tone, state.Notes = reports.Warn, []int{notes.Add(reports.Note{Text: c.Remedy})}
		case c.State == "unknown":
			state.Tone = reports.Muted
		}
		t.Rows = append(t.Rows, []reports.Cell{{Text: c.Name}, state, {Text: c.Found}})
	}
	return t
}

func (d Doctor) summary() (string, reports.Tone) {
	var noisy, conditions int
	worst := 0.0
	for _, n := range d.Noise {
		if worst = max(worst, n.CV); !n.Quiet {
			noisy++
		}
	}
	for _, c := range d.Conditions {
		if c.Remedy != "" {
			conditions++
		}
	}
	reasons := reports.Plural(conditions, "condition") + " to look at"
	if noisy > 0 {
		return fmt.Sprintf("noisy: CV up to %s; %s", unsigned(worst), reasons), reports.Warn
	}
	return fmt.Sprintf("quiet: CV at most %s; %s", unsigned(worst), reasons), reports.Good
}

// document describes the document of kind "doctor": the machine, how noisy it is, and
// why.
func (d Doctor) document() reports.Object {
	machine := map[string]string{}
	for _, f := range d.Machine {
		machine[f.Key] = f.Value
	}
	return reports.Object{
		{"machine", machine},
		{"noise", reports.Objects(&d.Noise, noiseFields)},
		{"conditions", reports.Objects(&d.Conditions, conditionFields)},
	}
}

func noiseFields(n *NoiseFigure) reports.Object {
	return reports.Object{
		{"work", n.Work},
		{"slices", n.Slices},
		{"median_seconds", n.Median.Seconds()},
		{"cv", n.CV},
		{"worst", n.Worst}, // a ratio
		{"slow", n.Slow},   // a share
		{"quiet", n.Quiet},
	}
}

func conditionFields(c *Condition) reports.Object {
	return reports.Object{{"name", c.Name}, {"state", c.State}, {"found", c.Found}, {"remedy", reports.Optional(c.Remedy)}}
}

// records lists the conditions and below them the noise, whose numbers stand in columns
// of their own.
func (d Doctor) records() [][]any {
	out := [][]any{reports.ColumnNames("kind name state found remedy cv worst slow slices")}
	for _, c := range d.Conditions {
		out = append(out, []any{"condition", c.Name, c.State, c.Found, c.Remedy, nil, nil, nil, nil})
	}
	for _, n := range d.Noise {
		state := "quiet"
		if !n.Quiet {
			state = "noisy"
		}
		out = append(out, []any{"noise", n.Work, state, nil, nil, n.CV, n.Worst, n.Slow, n.Slices})
	}
	return out
}
