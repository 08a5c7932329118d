// Package vet reports mistakes in benchmarks.
package vet

import (
	"fmt"
	"strings"

	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/runner/vet"
)

// A Result holds the findings about the benchmarks of some packages.
type Result struct {
	Findings  []vet.Finding // sorted by file and line; files below the user's directory have relative paths
	Packages  int           // number of packages with benchmarks
	Functions int           // number of benchmark functions
	Ran       int           // number of benchmarks run
	Unrun     int           // number of suspicions left out because only a run could confirm them
	Unjudged  []Miss        // benchmark functions without a complete run
	Missed    []Miss        // packages and functions left unchecked because of an error
}

// A Miss is a package or benchmark function that was not fully checked, with the reason.
type Miss struct {
	Package   string
	Benchmark string // the function; "" for all functions of the package
	Err       error
}

func (m Miss) name() string {
	if m.Benchmark == "" {
		return m.Package
	}
	return m.Package + " " + m.Benchmark
}

// Report returns a report on the findings in source order.
func (v Result) Report() reports.Report {
	r := reports.Report{Title: "Vet", Kind: "vet", Document: v.document, Records: v.records}
	r.Summary, r.Tone = v.summary()
	for _, f := range v.Findings {
		r.Tables = append(r.Tables, reports.Table{Facts: []reports.Fact{
			{Key: "at", Value: fmt.Sprintf("%s:%d %s", f.File, f.Line, f.Benchmark)},
			{Key: "found", Value: f.Found},
			{Key: "instead", Value: f.Remedy},
			{Key: "sure", Value: fmt.Sprintf("%s (%s)", f.Sure, f.Rule)},
		}})
	}
	if v.Unrun > 0 {
		r.Remarks = append(r.Remarks, reports.Note{Text: left(v.Unrun)})
	}
	for _, l := range []struct {
		title  string
		misses []Miss
	}{{"not judged by a run", v.Unjudged}, {"not fully checked", v.Missed}} {
		if len(l.misses) == 0 {
			continue
		}
		r.Lists = append(r.Lists, reports.List{Title: l.title, Items: missed(l.misses)})
	}
	return r
}

// missed returns one item for each sequence of misses with the same package and reason.
func missed(misses []Miss) (items []reports.Note) {
	for len(misses) > 0 {
		first, n := misses[0], 1
		for n < len(misses) && misses[n].Package == first.Package && misses[n].Err.Error() == first.Err.Error() {
			n++
		}
		name := first.name()
		switch {
		case n == 2:
			name += ", " + misses[1].Benchmark
		case n > 2:
			name += fmt.Sprintf(" to %s, %d in all", misses[n-1].Benchmark, n)
		}
		why, _, _ := strings.Cut(first.Err.Error(), "\n")
		items = append(items, reports.Note{Detail: name + ": " + why})
		misses = misses[n:]
	}
	return items
}

func left(n int) string {
	if n == 1 {
		return "1 suspicion left out: only a run can confirm it"
	}
	return fmt.Sprintf("%d suspicions left out: only a run can confirm them", n)
}

func (v Result) summary() (string, reports.Tone) {
	where := fmt.Sprintf("%s of %s", reports.Plural(v.Functions, "benchmark function"), reports.Plural(v.Packages, "package"))
	if len(v.Unjudged) > 0 {
		where += fmt.Sprintf(", %d of them not judged by a run", len(v.Unjudged))
	}
	if len(v.Missed) > 0 {
		where += ", not all of them fully checked"
	}
	if len(v.Findings) == 0 {
		if len(v.Missed)+len(v.Unjudged) > 0 {
			return "nothing found in " + where, reports.Warn
		}
		return "nothing found in " + where, reports.Good
	}
	var words []string
	for _, sure := range []vet.Confidence{vet.Certain, vet.Likely, vet.Possible} {
		n := 0
		for _, f := range v.Findings {
			if f.Sure == sure {
				n++
			}
		}
		if n > 0 {
			words = append(words, fmt.Sprintf("%d %s", n, sure))
		}
	}
	return reports.Plural(len(v.Findings), "finding") + " in " + where + ": " + strings.Join(words, ", "), reports.Warn
}

// document describes the document of kind "vet".
func (v Result) document() reports.Object {
	return reports.Object{
		{"findings", reports.Objects(&v.Findings, findingFields)},
		{"packages", v.Packages},
		{"functions", v.Functions},
		{"benchmarks_run", v.Ran},
		{"left_out", v.Unrun},
		{"not_judged", reports.Objects(&v.Unjudged, missFields)},
		{"missed", reports.Objects(&v.Missed, missFields)},
	}
}

func findingFields(f *vet.Finding) reports.Object {
	return reports.Object{
		{"rule", string(f.Rule)},
		{"sure", f.Sure.String()},
		{"file", f.File},
		{"line", f.Line},
		{"package", f.Package},
		{"function", f.Benchmark},
		{"found", f.Found},
		{"remedy", f.Remedy},
	}
}

func missFields(m *Miss) reports.Object {
	return reports.Object{{"package", m.Package}, {"function", m.Benchmark}, {"why", m.Err.Error()}}
}

func (v Result) records() [][]any {
	out := [][]any{reports.ColumnNames("file line package function rule sure found remedy")}
	for _, f := range v.Findings {
		out = append(out, []any{f.File, f.Line, f.Package, f.Benchmark, string(f.Rule), f.Sure.String(), f.Found, f.Remedy})
	}
	return out
}
