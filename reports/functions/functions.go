// Package functions reports which functions of a Go program take the time and the memory of a
// benchmark, from pprof's profiles: of one commit, or of two side by side. functions.go has the
// report as a whole, tables.go its tables, and document.go what programs read.
//
// A profile says where, not how much: nothing here is a verdict.
package functions

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"golang.org/x/perf/benchunit"

	"github.com/perftrack/perftrack/compare/tree"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/runner/record"
)

// What is shown of the longest lists.
const (
	shownHotPaths   = 15
	shownAllocators = 10
	leastShown      = 0.02 // part of the whole, of a path of the call hierarchy
)

// A Benchmark is one benchmark that was profiled. Values are of one operation.
type Benchmark struct {
	Target string
	record.BenchmarkID
	Commits []record.Commit // the only one, or base and head
	Samples int             // of the CPU, of both sides together
	// Time is in seconds, Bytes and Objects are counted. Nil where nothing was sampled, or allocated.
	Time, Bytes, Objects *tree.Sampled
	Files                []File
	Memory               []Memory // of each of Commits; nil where nothing is known
}

// A Memory is how often a side collected, and what memory it needed.
type Memory struct {
	Collections *int // in Operations; nil is not known
	Operations  int
	Resident    int64 // bytes at most, 0 is not known
}

// collected says how often a side collected.
func (m Memory) collected() string {
	switch {
	case m.Collections == nil || m.Operations <= 0:
		return "not recorded"
	case *m.Collections == 0:
		return "never in " + reports.Plural(m.Operations, "operation")
	}
	return reports.AtLeast(3, float64(*m.Collections)/float64(m.Operations)) + " times an operation"
}

// resident says what memory a side needed.
func (m Memory) resident() string {
	switch {
	case m.Resident > 0:
		return size(float64(m.Resident))
	case m.Collections == nil:
		return "not recorded"
	}
	return "less than perftrack itself"
}

// A File is what go tool pprof opens.
type File struct {
	Kind string // cpu, allocs
	Side record.Side
	Path string
}

// two reports whether there are two sides.
func (b *Benchmark) two() bool { return len(b.Commits) == 2 }

// A Failure is a benchmark that could not be profiled, and why.
type Failure struct{ Name, Reason string }

// A Result is what a target was profiled for.
type Result struct {
	Benchmarks []*Benchmark
	Failures   []Failure
	Left       []string // benchmarks that were not come to
	LeftWhy    string
}

// A View is how much of its lists a report shows. Programs get all of it in any case.
type View struct {
	Top int  // rows of each ranking; 0 is as many as usual
	All bool // all rows, and the whole call hierarchy
}

// rows is how many of a ranking are shown.
func (v View) rows(usual int) int {
	switch {
	case v.All:
		return math.MaxInt
	case v.Top > 0:
		return v.Top
	}
	return usual
}

// Report reports as usual.
func Report(res Result) reports.Report { return View{}.Report(res) }

// Report reports, benchmark by benchmark, the hot paths, the top allocators and the call hierarchy.
func (v View) Report(res Result) reports.Report {
	r := reports.Report{Title: "Profile", Kind: "functions"}
	for _, b := range res.Benchmarks {
		r.Tables = append(r.Tables, b.tables(v)...)
		if b.Bytes == nil {
			r.Remarks = append(r.Remarks, reports.Note{Text: "nothing was allocated", Detail: b.Name})
		}
		if b.Time == nil {
			r.Remarks = append(r.Remarks, reports.Note{Text: "no sample of the CPU was taken, so where the time goes is not known: more --rounds or a longer --benchtime", Detail: b.Name})
		}
		if b.Time != nil && b.Samples < fewSamples {
			r.Remarks = append(r.Remarks, reports.Note{Text: fmt.Sprintf("only %s of the CPU: more --rounds or a longer --benchtime say more", reports.Plural(b.Samples, "sample")), Detail: b.Name})
		}
	}
	r.Lists = append(r.Lists, list("not profiled", res.Failures), commands(res.Benchmarks))
	if len(res.Left) > 0 {
		r.Lists = append(r.Lists, list("not come to: "+res.LeftWhy, named(res.Left)))
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

// fewSamples are too few to say much: a function with 5 % of 100 samples has between 2 % and 11 %.
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
		notes = append(notes, reports.Note{Text: "a profile says where the time goes, not how much it is: times are shares of samples, taken while the profiler slowed the program down"})
	}
	if two {
		notes = append(notes, reports.Note{Text: "differences of profiles are no verdicts: perftrack check decides what changed, and perftrack explain which functions did, with intervals"})
	}
	return notes
}

// commands are those that open the profiles of benchmarks, whose names are in those of the files.
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

// Command is the command that opens the profile of one side, or the difference of base and head.
func Command(paths []string) string {
	var quoted []string
	for _, p := range paths {
		quoted = append(quoted, shellWord(p))
	}
	switch len(quoted) {
	case 0:
		return ""
	case 1:
		return "go tool pprof -http=: " + quoted[0]
	}
	return "go tool pprof -http=: -diff_base " + strings.Join(quoted, " ")
}

// shellWord quotes what a shell would not take for one word.
func shellWord(path string) string {
	if path != "" && !strings.ContainsFunc(path, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("/._-=+,:@", r))
	}) {
		return path
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}

// seconds shows a time with the prefix that suits it, or "-" if it is not known.
func seconds(s float64) string { return scaled(s, benchunit.Decimal, "s") }

// size shows a number of bytes.
func size(bytes float64) string { return scaled(bytes, benchunit.Binary, "B") }

// count shows a number of objects.
func count(n float64) string {
	if math.IsNaN(n) {
		return "-"
	}
	return fmt.Sprintf("%.4g", n)
}

func scaled(x float64, class benchunit.Class, unit string) string {
	switch {
	case math.IsNaN(x) || math.IsInf(x, 0):
		return "-"
	case x == 0:
		return "0"
	}
	return reports.Scaled(x, class) + unit
}

// share shows a part of the whole as a percentage, or "-" if either is not known.
func share(part, whole float64) string {
	if !(whole > 0) || math.IsNaN(part) {
		return "-"
	}
	return fmt.Sprintf("%.1f %%", 100*part/whole)
}
