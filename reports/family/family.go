// Package family makes the reports that people read about a repository: a summary for whoever
// leads it, a comparison for whoever reviews a change, and metrics, trends, models, memory and
// peers for whoever works on the speed.
//
// A [Subject] is what the database says; [Of] makes one report of it, [Index] says which to read
// when. Every sentence follows from the data by a rule, and rules.go has those of the actions
// and docs/reports.md all of them: there is no cause that no profile shows, and nothing is called
// good because nothing is known of it.
//
// Begin with subject.go, then summary.go; each other kind has a file of its name. view.go reads
// the current values, courses.go the histories, words.go and bars.go are how names, commands and shares are written.
package family

import (
	"fmt"

	"github.com/perftrack/perftrack/reports"
)

// A Kind is one of the reports.
type Kind string

// The kinds.
const (
	Summary    Kind = "summary"
	Metrics    Kind = "metrics"
	Trends     Kind = "trends"
	Comparison Kind = "comparison"
	Models     Kind = "models"
	Memory     Kind = "memory"
	Peers      Kind = "peers"
)

// An entry is a kind, and when to read it.
type entry struct {
	kind     Kind
	title    string
	answers  string // the question
	role     string
	minutes  int
	describe func(*view) reports.Report
}

// entries are all kinds in the order in which they are listed.
func entries() []entry {
	return []entry{
		{Summary, "Summary", "How do we stand, and what is to be done first?", "lead", 2, summary},
		{Comparison, "Comparison", "What did this change make faster or slower, and is that certain?", "reviewer", 5, comparison},
		{Trends, "Trends", "Since when has it been so, and what should be measured next?", "lead, engineer", 10, trends},
		{Metrics, "Metrics", "Where do the time and the memory go now?", "engineer", 10, metrics},
		{Models, "Models", "How fast is inference, how does it scale, and which layers take the time?", "engineer", 5, models},
		{Memory, "Memory", "What do pools, operations in place and fused kernels save?", "engineer", 5, memory},
		{Peers, "Peers", "How do we compare with what others publish?", "lead", 3, peers},
	}
}

// Kinds are all kinds in the order in which they are listed.
func Kinds() (all []Kind) {
	for _, e := range entries() {
		all = append(all, e.kind)
	}
	return all
}

// Of makes a report of a kind.
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
	panic(fmt.Sprintf("family: no report %q", kind)) // a mistake of the caller
}

// Pages are the files of the whole family in a format, for the links on each page.
func Pages(extension string, current Kind) []reports.Page {
	pages := []reports.Page{{Title: "Index", File: "index." + extension, Current: current == ""}}
	for _, e := range entries() {
		pages = append(pages, reports.Page{Title: e.title, File: string(e.kind) + "." + extension, Current: e.kind == current})
	}
	return pages
}

// Index says which report to read when: by role, by question and by minutes. extension is that of
// their files.
func Index(s *Subject, extension string) reports.Report {
	v := newView(s)
	r := reports.Report{Title: "Performance reports"}
	if s.Title != "" {
		r.Title += " of " + reports.Printable(s.Title)
	}
	r.Summary, r.Tone = v.verdict()
	r.Facts = v.facts()
	t := reports.Table{
		Heading: "Which to read when",
		Columns: []reports.Column{{Title: "report", File: true}, {Title: "question that it answers"}, {Title: "for"}, {Title: "minutes", Right: true}, {Title: "here"}},
	}
	for _, e := range entries() {
		t.Rows = append(t.Rows, []reports.Cell{
			{Text: string(e.kind) + "." + extension}, {Text: e.answers}, {Text: e.role}, {Text: fmt.Sprint(e.minutes), Value: e.minutes}, {Text: v.has(e.kind)},
		})
	}
	r.Tables = append(r.Tables, t, paths(), glossary())
	return documented("index", r)
}

// paths are ways through the reports, by role and by the time there is.
func paths() reports.Table {
	return reports.Table{
		Heading: "By role, and by the minutes that you have",
		Columns: []reports.Column{{Title: "you are"}, {Title: "in 2 minutes"}, {Title: "in 10 minutes"}, {Title: "in half an hour"}},
		Rows: [][]reports.Cell{
			{{Text: "the lead"}, {Text: "summary: its first table and the actions"}, {Text: "also trends: steps, and what to measure next"}, {Text: "also peers and models"}},
			{{Text: "a reviewer"}, {Text: "comparison: its first line and the regressions"}, {Text: "also each method side by side"}, {Text: "also trends of what changed"}},
			{{Text: "an engineer"}, {Text: "summary: bottlenecks"}, {Text: "also metrics: hot paths, kernels, allocators"}, {Text: "also models, memory and every run in trends"}},
		},
	}
}

// has says in a word what a report has to tell here.
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
		return "no run of a model"
	case Peers:
		if n := len(v.References); n > 0 {
			return reports.Plural(n, "reference")
		}
		return "no reference.toml"
	}
	return "yes"
}
