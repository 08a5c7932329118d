// Package vet reports what is wrong with benchmarks themselves.
package vet

import (
	"fmt"
	"strings"

	"github.com/perftrack/perftrack/reports"
)

// A Vet is what was found in the benchmarks of some packages.
type Vet struct {
	Findings []Finding
	Packages int    // with benchmarks
	Looked   int    // benchmark functions
	Ran      int    // benchmarks, each with its parameters; 0 without a run
	Unrun    int    // findings left out because only a run can confirm them
	Unjudged []Miss // benchmark functions that a run judged in part or not at all
	Missed   []Miss
}

// A Finding is one thing that is wrong with a benchmark.
type Finding struct {
	Rule, Package, Benchmark string
	File                     string // from where the user stands, if it is below
	Line                     int
	Found, Remedy            string
	Sure                     string // certain, likely or possible
}

// A Miss is a package, or a benchmark function of it, that could not be looked at whole, and why.
type Miss struct{ Package, Benchmark, Why string }

func (m Miss) name() string {
	if m.Benchmark == "" {
		return m.Package
	}
	return m.Package + " " + m.Benchmark
}

// Report returns the findings in their order, which is that of the source.
func (v Vet) Report() reports.Report {
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
	}{{"not judged by a run", v.Unjudged}, {"not looked at whole", v.Missed}} {
		if len(l.misses) == 0 {
			continue
		}
		r.Lists = append(r.Lists, reports.List{Title: l.title, Items: missed(l.misses)})
	}
	return r
}

// missed says what was missed, in one item where it was for the same reason in one package.
func missed(misses []Miss) (items []reports.Note) {
	for len(misses) > 0 {
		first, n := misses[0], 1
		for n < len(misses) && misses[n].Package == first.Package && misses[n].Why == first.Why {
			n++
		}
		name := first.name()
		switch {
		case n == 2:
			name += ", " + misses[1].Benchmark
		case n > 2:
			name += fmt.Sprintf(" to %s, %d of them", misses[n-1].Benchmark, n)
		}
		why, _, _ := strings.Cut(first.Why, "\n")
		items = append(items, reports.Note{Detail: name + ": " + why})
		misses = misses[n:]
	}
	return items
}

func left(n int) string {
	if n == 1 {
		return "1 suspicion is left out, as only a run can confirm it and none did"
	}
	return fmt.Sprintf("%d suspicions are left out, as only a run can confirm them and none did", n)
}

func (v Vet) summary() (string, reports.Tone) {
	where := fmt.Sprintf("%s of %s", reports.Plural(v.Looked, "benchmark function"), reports.Plural(v.Packages, "package"))
	if len(v.Unjudged) > 0 {
		where += fmt.Sprintf(", %d of them not judged by a run", len(v.Unjudged))
	}
	if len(v.Missed) > 0 {
		where += ", not all of which could be looked at"
	}
	if len(v.Findings) == 0 {
		if len(v.Missed)+len(v.Unjudged) > 0 {
			return "nothing found in " + where, reports.Warn
		}
		return "nothing found in " + where, reports.Good
	}
	var words []string
	for _, sure := range []string{"certain", "likely", "possible"} {
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

// document describes the document of kind "vet": what is wrong with benchmarks themselves.
func (v Vet) document() reports.Object {
	return reports.Object{
		{"findings", reports.Objects(&v.Findings, findingFields)},
		{"packages", v.Packages},
		{"functions", v.Looked},
		{"benchmarks_run", v.Ran},
		{"left_out", v.Unrun}, // that only a run can confirm
		{"not_judged", reports.Objects(&v.Unjudged, missFields)},
		{"missed", reports.Objects(&v.Missed, missFields)},
	}
}

func findingFields(f *Finding) reports.Object {
	return reports.Object{
		{"rule", f.Rule},
		{"sure", f.Sure},
		{"file", f.File},
		{"line", f.Line},
		{"package", f.Package},
		{"function", f.Benchmark},
		{"found", f.Found},
		{"remedy", f.Remedy},
	}
}

func missFields(m *Miss) reports.Object {
	return reports.Object{{"package", m.Package}, {"function", m.Benchmark}, {"why", m.Why}}
}

func (v Vet) records() [][]any {
	out := [][]any{reports.ColumnNames("file line package function rule sure found remedy")}
	for _, f := range v.Findings {
		out = append(out, []any{f.File, f.Line, f.Package, f.Benchmark, f.Rule, f.Sure, f.Found, f.Remedy})
	}
	return out
}
