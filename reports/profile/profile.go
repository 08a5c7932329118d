// Package profile reports on the scopes of runs: hot paths, allocators, the most called methods and
// the call tree. A scope is a named part of a profiled program. profile.go makes the report and its
// insights, tables.go its main tables, memory.go the tables of savings and of garbage collections
// by scope, and process.go the table of garbage collections and memory of the whole process.
package profile

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/compare/tree"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/reports/inference"
	"github.com/perftrack/perftrack/runner/naming"
	"github.com/perftrack/perftrack/runner/record"
)

// These are the default maximum lengths of rankings.
const (
	shownHotPaths   = 15
	shownAllocators = 10
	shownCalled     = 10
)

// These are the thresholds for insights.
const (
	hotMethods = 5
	muchACall  = 1 << 20 // in bytes
	manyCalls  = 10_000
)

// A View sets the lengths of the lists in the report on a profile. JSON and CSV are always
// complete.
type View struct {
	Top int  // number of rows in each ranking; 0 means the default
	All bool // show all rows, including the small scopes of the call tree
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

// Report reports on the scopes of runs in the default view.
func Report(runs ...*record.Run) reports.Report { return View{}.Report(runs...) }

// Report reports on the scopes of runs. For each suite it shows the hot paths, the top allocators,
// the most called methods, the call tree, savings of memory, the speed of models and kernels, and
// insights.
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
			gaps = append(gaps, reports.Note{Text: "the report does not show how its scopes are nested, so self times, the length of the run and shares of it are unknown",
				Detail: strings.TrimSpace(p.tree.Suite)})
		}
		if gap := p.tree.Gap; gap > reports.LeastShare*p.tree.Total {
			gaps = append(gaps, reports.Note{Text: "part of the time is outside all scopes, so self times do not add up to the run",
				Detail: strings.TrimSpace(p.tree.Suite + " " + reports.Share(gap, p.tree.Total))})
		}
	}
	if counted {
		r.Remarks = append(r.Remarks, reports.Note{Text: "bytes and objects are counted for the whole process, in a separate pass with nothing else running", Detail: ""})
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

// A suite holds the call tree of one suite in one run and the other data for its tables.
type suite struct {
	run     *record.Run
	tree    *tree.Tree // the round shown
	rounds  []*tree.Tree
	figures []inference.Figures // figures of the whole run
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

// runText describes the length of the run and the choice of the round shown.
func (p suite) runText() string {
	if !p.tree.Placed {
		return fmt.Sprintf("unknown; all scopes, including nested ones, add up to %s", millis(p.tree.Sum))
	}
	text := millis(p.tree.Total)
	if p.tree.Printed {
		text += ", the outermost scopes"
	}
	if n := len(p.tree.Totals); n > 1 {
		text += fmt.Sprintf(", the median of %d rounds (%s to %s)", n, millis(p.tree.Totals[0]), millis(p.tree.Totals[n-1]))
	}
	if p.beside() {
		text += fmt.Sprintf(", in which all goroutines together worked %s", millis(p.tree.Busy))
	}
	return text
}

// beside reports whether workers ran in parallel while their caller waited, so that all goroutines
// together worked longer than the run took.
func (p suite) beside() bool { return p.tree.Busy > 1.001*p.tree.Total }

// selfShare formats a self time as a percentage of the total that selfBase names.
func (p suite) selfShare(ns float64) string { return reports.Share(ns, p.tree.Base()) }

// selfBase returns the word for the total that selfShare refers to.
func (p suite) selfBase() string {
	if p.beside() {
		return "work"
	}
	return "run"
}

// bases explains what the percentages in the tables refer to.
func (p suite) bases() []string {
	if !p.tree.Placed {
		return nil
	}
	words := fmt.Sprintf("%% of run: share of its %s.", millis(p.tree.Total))
	if p.beside() {
		words += fmt.Sprintf(" %% of work: share of the %s that all goroutines together worked.", millis(p.tree.Busy))
	}
	out := []string{words}
	for _, m := range p.tree.Methods() {
		if m.Waiting > 0 {
			return append(out, "A scope's own time while it waits for its workers does not count as work.")
		}
	}
	return out
}

// insights returns notes on the most important numbers. Shares are shares of self times, so that
// nested scopes are not counted twice.
func (p suite) insights(methods []*tree.Method) []reports.Note {
	var out []reports.Note
	if p.tree.Placed && len(methods) > hotMethods { // with fewer methods, the table already shows it
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
		out = append(out, reports.Note{Text: "more than 1 MiB per call, without scopes inside:", Detail: strings.Join(big, ", ")})
	}
	if len(busy) > 0 {
		out = append(out, reports.Note{Text: fmt.Sprintf("more than %s calls:", reports.WithCommas(fmt.Sprint(manyCalls))), Detail: strings.Join(busy, ", ")})
	}
	out = append(out, p.uneven(methods)...)
	out = append(out, p.allocatesWhereHot(methods)...)
	out = append(out, p.stoppedToCollect()...)
	for _, m := range methods {
		if m.Forked > 0 {
			out = append(out, reports.Note{Text: fmt.Sprintf("all workers together worked %.2f times as long as the scope that waited for them:", m.Forked/m.Total), Detail: m.Name})
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
	of := "of the self time is in"
	if p.tree.Busy < 0.999*p.tree.Total || len(known) < len(methods) {
		of = "of the run is the self time of"
	}
	return reports.Note{Text: fmt.Sprintf("%s %s %s:", p.selfShare(sum), of, reports.Plural(len(top), "method")), Detail: strings.Join(names, ", ")}
}

// millis formats a time given in nanoseconds as milliseconds with a fixed number of decimals, so
// that the numbers line up in a column. An unknown time becomes "-".
func millis(ns float64) string {
	if math.IsNaN(ns) {
		return "-"
	}
	return reports.Unscaled(ns/1e6, 3) + " ms"
}

// nanos formats a time given in nanoseconds.
func nanos(ns float64) string { return reports.Quantity{Value: ns / 1e9, Unit: "sec"}.String() }

// sizeText formats a number of bytes.
func sizeText(bytes float64) string { return reports.Quantity{Value: bytes, Unit: "B"}.String() }
