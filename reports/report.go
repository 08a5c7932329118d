// Package reports turns results into text for people and programs.
//
// It is the last stage of the pipeline engine -> runner -> store -> compare -> reports. A [Report]
// is a result ready to be laid out. It is made by the package of its kind (comparison, history,
// explanation, profile, runs, machine) or by [Listing], which choose its contents, their order and
// the digits of numbers. Writers lay it out: [Text], [Markdown], [CSV] and [JSON], and for CI
// systems package reports/ci.
//
// report.go and table.go define the parts of a report. numbers.go, percent.go, quantity.go and
// words.go write numbers and names. cells.go, facts.go and fields.go define the parts that several
// kinds share. layout.go lays out tables with tablewriter, and fit.go, fold.go and shorten.go
// narrow them to the width of a terminal. CSV and JSON write raw numbers: json.go describes the
// format of the documents, and object.go how they are written and read. outcome.go defines the
// outcomes for CI systems, and failure.go the failure of a command.
//
// Names, labels, units and environments are external text. A Report contains them unchanged and
// marks them as external; each writer makes them safe for its format.
package reports

import (
	"cmp"

	"github.com/perftrack/perftrack/runner/record"
)

// A Report is a result ready to be laid out by a writer.
type Report struct {
	Title  string
	Facts  []Fact // about the whole report, such as its sides, run and settings
	Tables []Table
	// Summary is the result in one line: "1 regressed, 12 unchanged".
	Summary string
	Tone    Tone   // the tone of Summary
	Notes   []Note // footnotes of cells, numbered from 1
	Remarks []Note // about the whole report
	Lists   []List

	// Terminal returns the report to show on a terminal. If it is nil, the report itself is shown.
	Terminal func() Report
	// Verdict marks the summary as the most important line. On a terminal it is the first line and
	// is repeated as the last.
	Verdict bool
	Next    []Step // commands to run next, shown on a terminal

	Kind     string         // the kind of JSON document
	Document func() Object  // returns the JSON document
	Records  func() [][]any // returns the CSV lines, with the names of the columns first

	// Outcomes returns the outcome of each benchmark for CI systems. It is nil if nothing was
	// measured. Where returns the place where a benchmark is declared.
	Outcomes func() []Outcome
	Where    func(target string, id record.BenchmarkID) Place

	Failure *Failure // of the command; nil if it succeeded
}

// A Fact is one `key: value` line. The value may be external text.
type Fact struct {
	Key, Value string
	Tail       string // further text, such as a commit's subject, cut if the line is too long
}

// A Step is a command to paste and its purpose. External names in it are already quoted, see
// package reports/shell.
type Step struct{ Command, Does string }

// A Note is a sentence in perftrack's own words, with an optional detail: a command or external
// text.
type Note struct{ Text, Detail string }

// String returns the note as one text.
func (n Note) String() string {
	if n.Detail == "" {
		return n.Text
	}
	return n.Text + ": " + n.Detail
}

// A List names benchmarks without a row, such as missing or failed ones.
type List struct {
	Title string
	Items []Note // Detail is the name, Text is a remark or ""
	Whole bool   // the details are commands or paths to copy, and each stays on one line
	N     int    // the number of things if an item represents several of them, or else 0
}

// Count returns the number of listed things.
func (l List) Count() int { return cmp.Or(l.N, len(l.Items)) }
