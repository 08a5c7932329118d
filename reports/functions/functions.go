// Package functions reports which functions of a Go program take the time and the memory of a
// benchmark, using pprof profiles of one commit, or of two commits next to each other. functions.go
// makes the report, tables.go its tables, and document.go the JSON and CSV.
//
// A profile shows where the time goes but does not measure it precisely, so nothing in these
// reports is a verdict.
package functions

import (
	"fmt"
	"math"
	"slices"

	"github.com/perftrack/perftrack/compare/tree"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/reports/shell"
	"github.com/perftrack/perftrack/runner/record"
)

// These are the maximum lengths of lists.
const (
	shownHotPaths   = 15
	shownAllocators = 10
	leastShown      = 0.02 // minimum share of the total time for a path to be shown in the call hierarchy
)

// A Benchmark is the profile of one benchmark. All values are per operation.
type Benchmark struct {
	Target string
	record.BenchmarkID
	Commits []record.Commit // a single commit, or base and head
	Samples int             // number of CPU samples on all sides together
	// Time is in seconds; Bytes and Objects are counts. Time is nil if there are no samples, and
	// Bytes and Objects are nil if nothing was allocated.
	Time, Bytes, Objects *tree.Sampled
	Files                []File
	Memory               []Memory // one element for each of Commits, or nil if unknown
}

// A Memory holds the number of garbage collections and the peak resident memory of one side.
type Memory struct {
	Collections *int // number of collections during Operations; nil if unknown
	Operations  int
	Resident    int64 // in bytes; 0 if unknown
}

// collected describes how often the garbage collector ran.
func (m Memory) collected() string {
	switch {
	case m.Collections == nil || m.Operations <= 0:
		return "not recorded"
	case *m.Collections == 0:
		return "never in " + reports.Plural(m.Operations, "operation")
	}
	return reports.AtLeast(3, float64(*m.Collections)/float64(m.Operations)) + " times per operation"
}

// resident describes the peak resident memory.
func (m Memory) resident() string {
	switch {
	case m.Resident > 0:
		return reports.Quantity{Value: float64(m.Resident), Unit: "B"}.String()
	case m.Collections == nil:
		return "not recorded"
	}
	return "less than that of perftrack itself"
}

// A File is a profile that go tool pprof can read.
type File struct {
	Kind string // cpu or allocs
	Side record.Side
	Path string
}

// two reports whether there are two sides.
func (b *Benchmark) two() bool { return len(b.Commits) == 2 }

// A Failure names a benchmark that could not be profiled, and the reason.
type Failure struct{ Name, Reason string }

// A Result holds the profiled benchmarks and those that could not be profiled.
type Result struct {
	Benchmarks []*Benchmark
	Failures   []Failure
	Left       []string // benchmarks not profiled, for the reason given by LeftWhy
	LeftWhy    string
}

// A View sets the lengths of the lists in a report. JSON and CSV are always complete.
type View struct {
	Top int  // number of rows in each ranking; 0 means the default
	All bool // all rows and the whole call hierarchy
}

// rows returns the maximum number of rows in a ranking. usual is the default number.
func (v View) rows(usual int) int {
	switch {
	case v.All:
		return math.MaxInt
	case v.Top > 0:
		return v.Top
	}
	return usual
}

// Report reports the result in the default view.
func Report(res Result) reports.Report { return View{}.Report(res) }

// Report reports the hot paths, the top allocators and the call hierarchy of each benchmark.
func (v View) Report(res Result) reports.Report {
	r := reports.Report{Title: "Profile", Kind: "functions"}
	for _, b := range res.Benchmarks {
		r.Tables = append(r.Tables, b.tables(v)...)
		if b.Bytes == nil {
			r.Remarks = append(r.Remarks, reports.Note{Text: "nothing was allocated", Detail: b.Name})
		}
		if b.Time == nil {
			r.Remarks = append(r.Remarks, reports.Note{Text: "no CPU samples, so the time of its functions is unknown: use more --rounds or a longer --benchtime", Detail: b.Name})
		}
		if b.Time != nil && b.Samples < fewSamples {
			r.Remarks = append(r.Remarks, reports.Note{Text: fmt.Sprintf("only %s: use more --rounds or a longer --benchtime", reports.Plural(b.Samples, "CPU sample")), Detail: b.Name})
		}
	}
	r.Lists = append(r.Lists, list("not profiled", res.Failures), commands(res.Benchmarks))
	if len(res.Left) > 0 {
		r.Lists = append(r.Lists, list("not profiled: "+res.LeftWhy, named(res.Left)))
	}
	r.Lists = slices.DeleteFunc(r.Lists, func(l reports.List) bool { return len(l.Items) == 0 })
	r.Remarks = append(r.Remarks, remarks(res.Benchmarks)...)
	r.Summary = fmt.Sprintf("%s profiled", reports.Plural(len(res.Benchmarks), "benchmark"))
	if n := len(res.Failures); n > 0 {
		r.Summary, r.Tone = r.Summary+fmt.Sprintf(", %d not", n), reports.Warn
	}
	r.Document = func() reports.Object { return document(&res) }
	r.Records = func() [][]any { return records(res.Benchmarks) }
	return r
}

// fewSamples is the number of samples below which shares are too imprecise. With 100 samples, a
// measured share of 5 % is compatible with true shares from 2 % to 11 %.
const fewSamples = 100

func list(title string, failures []Failure) reports.List {
	l := reports.List{Title: title}
	for _, f := range failures {
		item := reports.Note{Detail: f.Name}
		if f.Reason != "" {
			item.Detail += ": " + f.Reason
		}
		l.Items = append(l.Items, item)
	}
	return l
}

func named(names []string) (out []Failure) {
	for _, name := range names {
		out = append(out, Failure{Name: name})
	}
	return out
}

func remarks(all []*Benchmark) []reports.Note {
	var sampled, two bool
	for _, b := range all {
		sampled, two = sampled || b.Time != nil, two || b.two()
	}
	var notes []reports.Note
	if sampled {
		notes = append(notes, reports.Note{Text: "a profile shows where the time goes, but not how much time there is: times are shares of samples, and the profiler slows the program down"})
	}
	if two {
		notes = append(notes, reports.Note{Text: "differences between profiles are not verdicts: perftrack check decides whether a benchmark changed, and perftrack explain finds the functions, with intervals"})
	}
	return notes
}

// commands lists the commands to open the profiles. It does not name the benchmarks, because the
// file names include them.
func commands(all []*Benchmark) reports.List {
	l := reports.List{Title: "to open the profiles", Whole: true}
	for _, b := range all {
		for _, kind := range []string{"cpu", "allocs"} {
			var paths []string
			for _, f := range b.Files {
				if f.Kind == kind {
					paths = append(paths, f.Path)
				}
			}
			if command := Command(paths); command != "" {
				l.Items = append(l.Items, reports.Note{Detail: command})
			}
		}
	}
	return l
}

// Command returns the command to open a single profile or, for two paths, the difference between
// base and head. It returns "" for any other number of paths.
func Command(paths []string) string {
	switch len(paths) {
	case 1:
		return shell.Command("go tool pprof -http=: %s", paths...)
	case 2:
		return shell.Command("go tool pprof -http=: -diff_base %s %s", paths...)
	}
	return ""
}
