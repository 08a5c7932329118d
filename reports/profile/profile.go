// Package profile reports the scopes that runs measured: their hot paths, what allocates,
// what is called most, and the call tree. profile.go has the report as a whole and what stands
// out in it, tables.go its tables, memory.go what is saved and collected,
// process.go what the whole process needed.
package profile

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"golang.org/x/perf/benchunit"

	"github.com/perftrack/perftrack/compare/tree"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/reports/inference"
	"github.com/perftrack/perftrack/runner/naming"
	"github.com/perftrack/perftrack/runner/record"
)

// What a profile shows of its longest lists.
const (
	shownHotPaths   = 15
	shownAllocators = 10
	shownCalled     = 10
)

// What an insight is worth telling for.
const (
	hotMethods = 5
	muchACall  = 1 << 20 // bytes
	manyCalls  = 10_000
)

// A View is how much of its lists a profile shows. Programs get all of it in any case.
type View struct {
	Top int  // rows of each ranking; 0 is as many as usual
	All bool // all rows, and of the call tree also scopes that hardly count
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

// Report reports the scopes of runs as usual.
func Report(runs ...*record.Run) reports.Report { return View{}.Report(runs...) }

// Report reports the scopes of runs, suite by suite: the hot paths, the top allocators,
// the most called methods, the call tree, what ways to save memory save, how fast models and kernels are, and what stands out.
func (v View) Report(runs ...*record.Run) reports.Report {
	r := reports.Report{Title: "Profile", Kind: "profile"}
	var trees []suite
	for _, run := range runs {
		for _, t := range tree.Of(run) {
			trees = append(trees, suite{run: run, tree: t, view: v, rounds: t.Rounds(run)})
		}
	}
	figures := map[*record.Run][]inference.Figures{}
	for _, run := range runs {
		figures[run] = inference.Of(run)
	}
	for i := range trees {
		trees[i].figures = figures[trees[i].run]
	}
	counted, gaps := false, []reports.Note{}
	for _, p := range trees {
		methods := p.tree.Methods()
		r.Tables = append(r.Tables, p.tables(methods)...)
		r.Tables = append(r.Tables, p.savings(methods)...)
		r.Tables = append(r.Tables, p.processTable()...)
		r.Tables = append(r.Tables, p.collectionTable()...)
		r.Tables = append(r.Tables, p.models()...)
		r.Tables = append(r.Tables, p.kernels()...)
		r.Tables = append(r.Tables, p.training(methods)...)
		if insights := p.insights(methods); len(insights) > 0 {
			r.Lists = append(r.Lists, reports.List{Title: strings.TrimSpace("insights " + p.tree.Suite), Items: insights})
		}
		counted = counted || p.tree.Counted && !p.tree.Printed
		if !p.tree.Placed {
			gaps = append(gaps, reports.Note{Text: "the report does not tell which scopes lie in which: self times and the length of the run are not known, and shares of it neither",
				Detail: strings.TrimSpace(p.tree.Suite)})
		}
		if gap := p.tree.Gap; gap > reports.LeastShare*p.tree.Total {
			gaps = append(gaps, reports.Note{Text: "part of the time lies in no scope, so that self times do not add up to the run",
				Detail: strings.TrimSpace(p.tree.Suite + " " + share(gap, p.tree.Total))})
		}
	}
	if counted {
		r.Remarks = append(r.Remarks, reports.Note{Text: "bytes and objects are those of the whole process, counted in a pass of their own with nothing else running", Detail: ""})
	}
	r.Remarks = append(r.Remarks, gaps...)
	reports.AddShortfalls(&r, runs)
	if len(trees) == 0 {
		r.Summary, r.Tone = "no scopes", reports.Warn
	}
	r.Document = func() reports.Object { return document(trees) }
	r.Records = func() [][]any { return records(trees) }
	return r
}

// A suite is the call tree of one suite in one run.
type suite struct {
	run     *record.Run
	tree    *tree.Tree // of the round that is shown
	rounds  []*tree.Tree
	figures []inference.Figures // of the run
	view    View
}

func (p suite) tables(methods []*tree.Method) []reports.Table {
	tables := []reports.Table{p.hotPaths(methods)}
	if p.tree.Counted {
		tables = append(tables, p.allocators(methods))
	}
	tables = append(tables, p.mostCalled(methods))
	if p.tree.Placed {
		tables = append(tables, p.hierarchy())
	}
	facts := p.facts()
	for i := range tables {
		tables[i].Facts = facts
	}
	return tables
}

func (p suite) facts() []reports.Fact {
	facts := reports.RunFacts(p.run)
	if p.tree.Suite != "" {
		facts = append(facts, reports.Fact{Key: "suite", Value: p.tree.Suite})
	}
	if result := p.run.Facts.Get(record.KeyResult); result != "" {
		if naming.EngineSuite(p.tree.Suite) {
			result += " (hash of tokens and losses)"
		}
		facts = append(facts, reports.Fact{Key: "result", Value: result})
	}
	facts = append(facts, reports.Fact{Key: "profiled", Value: p.runText()})
	if p.tree.Counted && !math.IsNaN(p.tree.Bytes) {
		facts = append(facts, reports.Fact{Key: "allocated", Value: sizeText(p.tree.Bytes)})
	}
	return facts
}

// runText says how long the run took and which of the rounds is shown.
func (p suite) runText() string {
	if !p.tree.Placed {
		return fmt.Sprintf("not known; all scopes added up %s, those that lie in others counted again", millis(p.tree.Sum))
	}
	text := millis(p.tree.Total)
	if p.tree.Printed {
		text += ", the scopes that lie in no other"
	}
	if n := len(p.tree.Totals); n > 1 {
		text += fmt.Sprintf(", the median of %d rounds (%s to %s)", n, millis(p.tree.Totals[0]), millis(p.tree.Totals[n-1]))
	}
	if p.beside() {
		text += fmt.Sprintf(", in which goroutines worked %s together", millis(p.tree.Busy))
	}
	return text
}

// beside reports whether workers worked while their caller waited, so that there was more
// work than time.
func (p suite) beside() bool { return p.tree.Busy > 1.001*p.tree.Total }

// selfShare shows a self time as a percentage of selfBase.
func (p suite) selfShare(ns float64) string { return share(ns, p.tree.Base()) }

// selfBase names what self times are percentages of.
func (p suite) selfBase() string {
	if p.beside() {
		return "work"
	}
	return "run"
}

// bases says what the percentages are of.
func (p suite) bases() []string {
	if !p.tree.Placed {
		return nil
	}
	words := fmt.Sprintf("%% of run: of its %s.", millis(p.tree.Total))
	if p.beside() {
		words += fmt.Sprintf(" %% of work: of the %s that goroutines worked together.", millis(p.tree.Busy))
	}
	out := []string{words}
	for _, m := range p.tree.Methods() {
		if m.Waiting > 0 {
			return append(out, "A scope whose workers ran beside it waited for them: its own time is no work.")
		}
	}
	return out
}

// insights are what a reader should look at first. Shares are of self times, so that
// nested scopes do not count twice.
func (p suite) insights(methods []*tree.Method) []reports.Note {
	var out []reports.Note
	if p.tree.Placed && len(methods) > hotMethods { // of fewer the table says all
		out = append(out, p.hottest(methods))
	}
	var big, busy []string
	for _, m := range methods {
		if m.SelfBytes > muchACall*float64(m.Calls) {
			big = append(big, fmt.Sprintf("%s %s", m.Name, sizeText(m.SelfBytes/float64(m.Calls))))
		}
		if m.Calls > manyCalls {
			busy = append(busy, fmt.Sprintf("%s %s of %s", m.Name, reports.WithCommas(fmt.Sprint(m.Calls)), nanos(m.Total/float64(m.Calls))))
		}
	}
	if len(big) > 0 {
		out = append(out, reports.Note{Text: "more than 1 MiB a call of its own:", Detail: strings.Join(big, ", ")})
	}
	if len(busy) > 0 {
		out = append(out, reports.Note{Text: fmt.Sprintf("more than %s calls:", reports.WithCommas(fmt.Sprint(manyCalls))), Detail: strings.Join(busy, ", ")})
	}
	out = append(out, p.uneven(methods)...)
	out = append(out, p.allocatesWhereHot(methods)...)
	out = append(out, p.stoppedToCollect()...)
	for _, m := range methods {
		if m.Forked > 0 {
			out = append(out, reports.Note{Text: fmt.Sprintf("workers together worked %.2f times as long as the scope that waited for them:", m.Forked/m.Total), Detail: m.Name})
		}
	}
	return append(out, p.layers()...)
}

// hottest names the methods with the largest self times.
func (p suite) hottest(methods []*tree.Method) reports.Note {
	known := slices.DeleteFunc(slices.Clone(methods), func(m *tree.Method) bool { return math.IsNaN(m.Self) })
	top := known[:min(len(known), hotMethods)]
	sum, names := 0.0, []string{}
	for _, m := range top {
		sum += m.Self
		names = append(names, fmt.Sprintf("%s %s", m.Name, p.selfShare(m.Self)))
	}
	what := "of the self time is that of"
	if p.tree.Busy < 0.999*p.tree.Total || len(known) < len(methods) {
		what = "of the run is the self time of"
	}
	return reports.Note{Text: fmt.Sprintf("%s %s %s:", p.selfShare(sum), what, reports.Plural(len(top), "method")), Detail: strings.Join(names, ", ")}
}

// millis shows a time in milliseconds, whose digits line up in a column, or "-" if it is
// not known.
func millis(ns float64) string {
	if math.IsNaN(ns) {
		return "-"
	}
	return reports.Unscaled(ns/1e6, 3) + " ms"
}

// nanos shows a time with the prefix that suits it, or "-" if it is not known.
func nanos(ns float64) string {
	if math.IsNaN(ns) || math.IsInf(ns, 0) {
		return "-"
	}
	return reports.Scaled(ns/1e9, benchunit.Decimal) + "s"
}

// sizeText shows a number of bytes with the prefix that suits it, or "-" if it is not
// known.
func sizeText(bytes float64) string {
	if math.IsNaN(bytes) {
		return "-"
	}
	return reports.Scaled(bytes, benchunit.Binary) + "B"
}

// share shows a part of the whole as a percentage, or "-" if either is not known.
func share(part, whole float64) string {
	if !(whole > 0) || math.IsNaN(part) {
		return "-"
	}
	return fmt.Sprintf("%.1f %%", 100*part/whole)
}
