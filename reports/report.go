// Package reports turns results into what people and programs read.
//
// It is the end of the flow engine -> runner -> store -> compare -> reports. A
// [Report] is a result ready to be laid out. It is made by the package of its kind
// (comparison, history, explanation, profile, runs, machine), or by [Listing]: all
// choices of what is shown, in which order and with how many digits are made there.
// A writer lays out what the Report holds: [Text], [Markdown], [CSV] and [JSON], and for the
// pages of a CI [JUnit], [CodeQuality] and [SARIF].
//
// report.go and table.go have the parts of a report, numbers.go and words.go how a
// number and a name are written, cells.go, facts.go and fields.go what several kinds of
// report have in common. CSV and JSON write raw numbers: json.go has their contract, and
// object.go how a kind describes its document field by field. outcome.go has what a CI is
// told, and failure.go how each writer says that the command failed.
//
// Names, labels, units and environments come from outside. The model keeps them as they
// are and marks them; each writer makes them harmless for its own format.
package reports

import "cmp"

import "github.com/perftrack/perftrack/runner/record"

// A Report is one result, ready to be laid out.
type Report struct {
	Title  string
	Facts  []Fact // what the whole report is about: sides, run, settings
	Tables []Table
	// Summary is the result in one line: "1 regressed, 12 unchanged".
	Summary string
	Tone    Tone   // of Summary
	Notes   []Note // footnotes of cells; the first is number 1
	Remarks []Note // what the reader must know of the whole
	Lists   []List

	// Terminal is what people at a terminal are shown in its place, nil for the report itself.
	Terminal func() Report
	// Verdict says that the summary is what everybody looks for in a long text: a terminal
	// has it first, and again at the end.
	Verdict bool
	Next    []Step // what a person would type now, for a terminal

	Kind     string         // of the JSON document
	Document func() Object  // for JSON
	Records  func() [][]any // for CSV, the names of the columns first

	// Outcomes are what became of each benchmark, for the pages of a CI; nil of a report
	// that measured none. Where says where a benchmark is declared, if anybody knows.
	Outcomes func() []Outcome
	Where    func(target string, id record.BenchmarkID) Place

	Failure *Failure // of the command; nil if it did what was asked
}

// A Fact is one `key: value` line. The value may come from outside.
type Fact struct {
	Key, Value string
	Tail       string // words that may be cut where the line is too long: the subject of a commit
}

// A Step is a command that can be pasted, and what it does. Names in it come from outside and
// are quoted already, see [ShellWord].
type Step struct{ Command, Does string }

// A Note is a sentence of perftrack's own, and what it is about: a command, or
// words from outside.
type Note struct{ Text, Detail string }

// String returns the note as one text.
func (n Note) String() string {
	if n.Detail == "" {
		return n.Text
	}
	return n.Text + ": " + n.Detail
}

// A List names what has no row: missing benchmarks, failures.
type List struct {
	Title string
	Items []Note // Detail is the name, Text a word on it or ""
	Whole bool   // the details are to be copied, commands or paths: no line is broken in one
	N     int    // how many the items stand for, where one stands for several; else 0
}

// Count is how many the items stand for.
func (l List) Count() int { return cmp.Or(l.N, len(l.Items)) }
