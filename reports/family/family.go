// Package family makes the reports about a repository: a summary for its lead, a comparison for
// reviewers, and metrics, trends, models, memory and peers for performance work.
//
// A [Subject] holds all data that the reports use. [Of] makes a report from it, and [Index] makes a
// guide to the reports. Every sentence follows from the data by a rule: rules.go defines the rules
// that find actions, and docs/reports.md describes all rules. A cause is named only if a profile
// shows it, and missing data never counts as good news. A regression is called unresolved if it is
// neither accepted nor undone by a later change.
//
// Start reading at subject.go and summary.go; every other kind of report has a file with its name,
// except that compared.go makes the comparison. view.go prepares the current values. Package
// histories reads the histories, and package cells formats numbers, facts and bars.
package family

import (
	"fmt"

	"github.com/perftrack/perftrack/reports"
)

// A Kind is the name of a report.
type Kind string

// The kinds of reports.
const (
	Summary    Kind = "summary"
	Metrics    Kind = "metrics"
	Trends     Kind = "trends"
	Comparison Kind = "comparison"
	Models     Kind = "models"
	Memory     Kind = "memory"
	Peers      Kind = "peers"
)

// An entry describes a kind of report and its readers.
type entry struct {
	kind     Kind
	title    string
	answers  string // the question that the report answers
	role     string
	minutes  int
	describe func(*view) reports.Report
}

// entries returns all kinds, in the order of the index.
func entries() []entry {
	return []entry{
		{Summary, "Summary", "How do we stand, and what comes first?", "lead", 2, summary},
		{Comparison, "Comparison", "Did this change make anything faster or slower, and how certain is it?", "reviewer", 5, comparison},
		{Trends, "Trends", "Since when is it so, and what should be measured next?", "lead, engineer", 10, trends},
		{Metrics, "Metrics", "Where do the time and the memory go now?", "engineer", 10, metrics},
		{Models, "Models", "How fast is inference, how does it scale, and where in the layers does the time go?", "engineer", 5, models},
		{Memory, "Memory", "What do pools, in-place operations and fused kernels save?", "engineer", 5, memory},
		{Peers, "Peers", "How do we compare with published numbers?", "lead", 3, peers},
	}
}

// Kinds returns all kinds, in the order of the index.
func Kinds() (all []Kind) {
	for _, e := range entries() {
		all = append(all, e.kind)
	}
	return all
}

// Of makes a report of the given kind.
func Of(kind Kind, s *Subject) reports.Report {
	v := newView(s)
	for _, e := range entries() {
		if e.kind == kind {
			r := e.describe(v)
			if r.Title = e.title; s.Title != "" {
				r.Title += " of " + reports.Printable(s.Title)
			}
			return documented(string(kind), r)
		}
	}
	panic(fmt.Sprintf("family: no report %q", kind)) // the caller passed an unknown kind
}

// Pages returns the pages linked from every report: the index and all reports, as files with the
// given extension. current is the kind of the report with the links, or "" for the index.
func Pages(extension string, current Kind) []reports.Page {
	pages := []reports.Page{{Title: "Index", File: "index." + extension, Current: current == ""}}
	for _, e := range entries() {
		pages = append(pages, reports.Page{Title: e.title, File: string(e.kind) + "." + extension, Current: e.kind == current})
	}
	return pages
}

// Index returns a guide to the reports, by the reader's role, question and time. extension is the
// file extension of the reports.
func Index(s *Subject, extension string) reports.Report {
	v := newView(s)
	r := reports.Report{Title: "Performance reports"}
	if s.Title != "" {
		r.Title += " of " + reports.Printable(s.Title)
	}
	r.Summary, r.Tone = v.verdict()
	r.Facts = v.facts()
	t := reports.Table{
		Heading: "Which report to read when",
		Columns: []reports.Column{{Title: "report", File: true}, {Title: "question"}, {Title: "for"}, {Title: "minutes", Right: true}, {Title: "here"}},
	}
	for _, e := range entries() {
		t.Rows = append(t.Rows, []reports.Cell{
			{Text: string(e.kind) + "." + extension}, {Text: e.answers}, {Text: e.role}, {Text: fmt.Sprint(e.minutes), Value: e.minutes}, {Text: v.has(e.kind)},
		})
	}
	r.Tables = append(r.Tables, t, paths(), glossary())
	return documented("index", r)
}

// paths returns a table that suggests which reports to read, by role and available time.
func paths() reports.Table {
	return reports.Table{
		Heading: "By role and time",
		Columns: []reports.Column{{Title: "you are"}, {Title: "in 2 minutes"}, {Title: "in 10 minutes"}, {Title: "in half an hour"}},
		Rows: [][]reports.Cell{
			{{Text: "the lead"}, {Text: "summary: its first table and the actions"}, {Text: "also trends: steps, and what to measure next"}, {Text: "also peers and models"}},
			{{Text: "a reviewer"}, {Text: "comparison: its first line and the regressions"}, {Text: "also each method side by side"}, {Text: "also the trends of changes"}},
			{{Text: "an engineer"}, {Text: "summary: bottlenecks"}, {Text: "also metrics: hot paths, kernels, allocators"}, {Text: "also models, memory and every run in trends"}},
		},
	}
}

// has describes in a few words the current contents of the report of the given kind.
func (v *view) has(k Kind) string {
	switch k {
	case Comparison:
		if v.Compared == nil {
			return "nothing to compare yet"
		}
	case Trends:
		if len(v.Series) == 0 {
			return "no history yet"
		}
		return reports.Plural(len(v.Series), "benchmark")
	case Metrics, Memory:
		if len(v.readings) == 0 {
			return "nothing measured yet"
		}
	case Models:
		if n := v.modelCount(); n > 0 {
			return reports.Plural(n, "model")
		}
		return "no model was measured"
	case Peers:
		if n := len(v.References); n > 0 {
			return reports.Plural(n, "reference")
		}
		return "no reference.toml"
	}
	return "yes"
}
