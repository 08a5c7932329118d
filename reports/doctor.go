package reports

import (
	"fmt"
	"time"
)

// A Doctor is what makes timings noisy on a machine, and how noisy they are.
type Doctor struct {
	Machine    []Fact
	Conditions []Condition
	Noise      []NoiseFigure
}

// A Condition is something that timings depend on. State is quiet, noisy or
// unknown; there is a remedy for what is noisy.
type Condition struct {
	Name   string
	State  string
	Found  string
	Remedy string
}

// A NoiseFigure is how much the time of work varied that was the same each
// time: CV is standard deviation over mean, Worst the slowest slice over
// the median, Slow the share of slices more than 10 % slower than the median.
type NoiseFigure struct {
	Work   string
	Slices int
	Median time.Duration
	CV     float64
	Worst  float64
	Slow   float64
	Quiet  bool
}

// Report returns the diagnosis, each remedy as a footnote of what it is for.
func (d Doctor) Report() Report {
	r := Report{
		Title: "Doctor", Facts: d.Machine,
		Kind:     "doctor",
		Document: d.document,
		Records:  d.records,
	}
	notes := &Footnotes{}
	r.Tables = []Table{d.noiseTable(), d.conditionTable(notes)}
	r.Notes = notes.Notes
	r.Summary, r.Tone = d.summary()
	return r
}

func (d Doctor) noiseTable() Table {
	t := Table{
		Heading: "noise of fixed work",
		Columns: []Column{{Title: "work"}, {Title: "slices", Right: true}, {Title: "median", Right: true}, {Title: "CV", Right: true},
			{Title: "worst", Right: true}, {Title: "over 10 % slow", Right: true}, {Title: "verdict"}},
	}
	for _, n := range d.Noise {
		verdict := Cell{Text: "quiet", Tone: Good}
		if !n.Quiet {
			verdict = Cell{Text: "noisy", Tone: Warn}
		}
		t.Rows = append(t.Rows, []Cell{
			{Text: n.Work}, {Text: fmt.Sprint(n.Slices)}, {Text: n.Median.Round(time.Microsecond).String()}, {Text: unsigned(n.CV)},
			{Text: fmt.Sprintf("%.2fx", n.Worst)}, {Text: unsigned(n.Slow)}, verdict,
		})
	}
	return t
}

func (d Doctor) conditionTable(notes *Footnotes) Table {
	t := Table{
		Heading: "conditions",
		Columns: []Column{{Title: "condition"}, {Title: "state"}, {Title: "found", Code: true}},
	}
	for _, c := range d.Conditions {
		state := Cell{Text: c.State}
		switch {
		case c.Remedy != "":
			state.Tone, state.Notes = Warn, []int{notes.Add(Note{Text: c.Remedy})}
		case c.State == "unknown":
			state.Tone = Muted
		}
		t.Rows = append(t.Rows, []Cell{{Text: c.Name}, state, {Text: c.Found}})
	}
	return t
}

func (d Doctor) summary() (string, Tone) {
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
	reasons := Plural(conditions, "condition") + " to look at"
	if noisy > 0 {
		return fmt.Sprintf("noisy: CV up to %s; %s", unsigned(worst), reasons), Warn
	}
	return fmt.Sprintf("quiet: CV at most %s; %s", unsigned(worst), reasons), Good
}

// document has kind "doctor": the machine, how noisy it is, and why.
func (d Doctor) document() Object {
	machine := map[string]string{}
	for _, f := range d.Machine {
		machine[f.Key] = f.Value
	}
	return Object{
		{"machine", machine},
		{"noise", Objects(&d.Noise, noiseFields)},
		{"conditions", Objects(&d.Conditions, conditionFields)},
	}
}

func noiseFields(n *NoiseFigure) Object {
	return Object{
		{"work", n.Work},
		{"slices", n.Slices},
		{"median_seconds", n.Median.Seconds()},
		{"cv", n.CV},
		{"worst", n.Worst}, // a ratio
		{"slow", n.Slow},   // a share
		{"quiet", n.Quiet},
	}
}

func conditionFields(c *Condition) Object {
	return Object{{"name", c.Name}, {"state", c.State}, {"found", c.Found}, {"remedy", Optional(c.Remedy)}}
}

// records puts the noise below the conditions: its number in found.
func (d Doctor) records() [][]any {
	out := [][]any{ColumnNames("kind name state found remedy cv worst slow slices")}
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
