// Package machine reports whether a machine is suitable for measuring. [Doctor] lists the causes of
// noise, and [Calibrations] lists the smallest changes a check can detect. Start reading at
// doctor.go.
package machine

import (
	"fmt"
	"time"

	"github.com/perftrack/perftrack/reports"
)

// A Doctor describes the noise of a machine and its causes.
type Doctor struct {
	Machine    []reports.Fact
	Conditions []Condition
	Noise      []NoiseFigure
}

// A Condition is something that affects timings. State is "quiet", "noisy" or "unknown". A noisy
// condition has a remedy.
type Condition struct {
	Name   string
	State  string
	Found  string
	Remedy string
}

// A NoiseFigure describes how the time of a fixed amount of work varies. CV is the standard
// deviation divided by the mean, Worst is the slowest slice divided by the median, and Slow is the
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

// Report returns the diagnosis as a report. Remedies are shown as footnotes to the conditions.
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
			{Text: n.Work}, {Text: fmt.Sprint(n.Slices)}, {Text: n.Median.Round(time.Microsecond).String()}, {Text: reports.Portion(n.CV)},
			{Text: fmt.Sprintf("%.2fx", n.Worst)}, {Text: reports.Portion(n.Slow)}, verdict,
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
		return fmt.Sprintf("noisy: CV up to %s; %s", reports.Portion(worst), reasons), reports.Warn
	}
	return fmt.Sprintf("quiet: CV at most %s; %s", reports.Portion(worst), reasons), reports.Good
}

// document describes the document of kind "doctor": the machine, its noise and the conditions that
// may cause it.
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
		{"worst", n.Worst}, // ratio of the slowest slice to the median
		{"slow", n.Slow},   // share of the slices, from 0 to 1
		{"quiet", n.Quiet},
	}
}

func conditionFields(c *Condition) reports.Object {
	return reports.Object{{"name", c.Name}, {"state", c.State}, {"found", c.Found}, {"remedy", reports.Optional(c.Remedy)}}
}

// records returns the column names, a line for each condition, and a line for each noise figure,
// with its own columns.
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
