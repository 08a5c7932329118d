// Package profile reports the scopes that runs measured: their hot paths, what allocates,
// what is called most, and the call tree.
package profile

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"golang.org/x/perf/benchunit"

	"github.com/perftrack/perftrack/compare/tree"
	"github.com/perftrack/perftrack/reports"
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

// Report reports the scopes of runs, suite by suite: the hot paths, the top allocators,
// the most called methods, the call tree and what stands out.
func Report(runs ...*record.Run) reports.Report {
	r := reports.Report{Title: "Profile", Kind: "profile"}
	var trees []suite
	for _, run := range runs {
		for _, t := range tree.Of(run) {
			trees = append(trees, suite{run, t})
		}
	}
	counted, gaps := false, []reports.Note{}
	for _, p := range trees {
		methods := p.tree.Methods()
		r.Tables = append(r.Tables, p.tables(methods)...)
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
	run  *record.Run
	tree *tree.Tree
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
	return append(facts, reports.Fact{Key: "profiled", Value: p.runText()})
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

func (p suite) hotPaths(methods []*tree.Method) reports.Table {
	heading := "Hot paths, by self time"
	if !p.tree.Placed {
		heading, methods = "Hot paths, by total time", slices.Clone(methods)
		slices.SortStableFunc(methods, func(a, b *tree.Method) int { return cmp.Compare(b.Total, a.Total) })
	}
	t := reports.Table{Heading: heading, Words: p.bases(), Columns: []reports.Column{
		{Title: "rank", Right: true}, {Title: "method", Code: true}, {Title: "total", Right: true}, {Title: "% of run", Right: true},
		{Title: "self", Right: true}, {Title: "self, % of " + p.selfBase(), Right: true}, {Title: "waiting", Right: true}, {Title: "calls", Right: true},
		{Title: "avg", Right: true}, {Title: "min", Right: true, Extra: true}, {Title: "max", Right: true, Extra: true},
	}}
	rest, ranked := 0.0, 0
	add := func(rank string, m *tree.Method) {
		t.Rows = append(t.Rows, []reports.Cell{
			{Text: rank}, {Text: m.Name}, {Text: millis(m.Total)}, {Text: share(m.Total, p.tree.Total)},
			{Text: millis(m.Self)}, {Text: p.selfShare(m.Self)}, waitingCell(&m.Call), {Text: reports.WithCommas(fmt.Sprint(m.Calls))},
			{Text: nanos(m.Total / float64(m.Calls))}, {Text: nanos(m.Min)}, {Text: nanos(m.Max)},
		})
	}
	waited := func(m *tree.Method) bool { return m.Self == 0 && m.Waiting > 0 }
	for _, m := range methods {
		switch {
		case waited(m):
			continue
		case ranked < shownHotPaths:
			add(fmt.Sprint(ranked+1), m)
		default:
			rest += m.Self
		}
		ranked++
	}
	switch {
	case ranked <= shownHotPaths:
	case math.IsNaN(rest):
		t.Caption = fmt.Sprintf("%d of %d methods", shownHotPaths, ranked)
	default:
		t.Caption = fmt.Sprintf("%d of %d methods; the others have %s of the self time", shownHotPaths, ranked, share(rest, p.tree.Busy))
	}
	for _, m := range methods {
		if waited(m) {
			add("-", m)
		}
	}
	if !p.tree.Placed {
		t = t.Without(5).Without(4).Without(3)
		return t.WithoutEmpty(3)
	}
	return t.WithoutEmpty(6)
}

func waitingCell(c *tree.Call) reports.Cell {
	if c.Waiting == 0 {
		return reports.Cell{}
	}
	return reports.Cell{Text: millis(c.Waiting)}
}

func (p suite) allocators(methods []*tree.Method) reports.Table {
	t := reports.Table{Heading: "Top allocators, by own bytes", Columns: []reports.Column{
		{Title: "rank", Right: true}, {Title: "method", Code: true}, {Title: "own", Right: true}, {Title: "own, % of run", Right: true},
		{Title: "calls", Right: true}, {Title: "own B/call", Right: true}, {Title: "own objects/call", Right: true}, {Title: "with scopes inside", Right: true},
	}}
	allocating := slices.DeleteFunc(slices.Clone(methods), func(m *tree.Method) bool { return m.SelfBytes == 0 || !(m.Bytes > 0) })
	if !p.tree.Placed {
		t.Heading = "Top allocators, with scopes inside"
	}
	slices.SortStableFunc(allocating, func(a, b *tree.Method) int {
		return cmp.Or(cmp.Compare(b.SelfBytes, a.SelfBytes), cmp.Compare(b.Bytes, a.Bytes))
	})
	for i, m := range allocating[:min(len(allocating), shownAllocators)] {
		t.Rows = append(t.Rows, []reports.Cell{
			{Text: fmt.Sprint(i + 1)}, {Text: m.Name}, {Text: sizeText(m.SelfBytes)}, {Text: share(m.SelfBytes, p.tree.Bytes)}, {Text: reports.WithCommas(fmt.Sprint(m.Calls))},
			{Text: sizeText(m.SelfBytes / float64(m.Calls))}, {Text: objectsText(m)}, {Text: sizeText(m.Bytes)},
		})
	}
	if len(t.Rows) == 0 {
		t.Columns, t.Words = nil, []string{"nothing was allocated"}
		return t
	}
	if !p.tree.Placed {
		t = t.Without(5).Without(3).Without(2)
	}
	return t.WithoutEmpty(len(t.Columns) - 2)
}

// objectsText is the number of objects a call; nothing where they were not counted.
func objectsText(m *tree.Method) string {
	if math.IsNaN(m.OwnObjects) {
		return ""
	}
	return fmt.Sprintf("%.1f", m.OwnObjects/float64(m.Calls))
}

func (p suite) mostCalled(methods []*tree.Method) reports.Table {
	t := reports.Table{Heading: "Most called", Columns: []reports.Column{
		{Title: "rank", Right: true}, {Title: "method", Code: true}, {Title: "calls", Right: true},
		{Title: "total", Right: true}, {Title: "avg", Right: true},
	}}
	called := slices.Clone(methods)
	slices.SortStableFunc(called, func(a, b *tree.Method) int { return cmp.Compare(b.Calls, a.Calls) })
	for i, m := range called[:min(len(called), shownCalled)] {
		t.Rows = append(t.Rows, []reports.Cell{
			{Text: fmt.Sprint(i + 1)}, {Text: m.Name}, {Text: reports.WithCommas(fmt.Sprint(m.Calls))}, {Text: millis(m.Total)}, {Text: nanos(m.Total / float64(m.Calls))},
		})
	}
	return t
}

// hierarchy is the call tree. Scopes that hardly count are folded into one row below
// their caller, so that what is shown still adds up.
func (p suite) hierarchy() reports.Table {
	t := reports.Table{Heading: "Call hierarchy", Columns: []reports.Column{
		{Title: "scope", Code: true}, {Title: "total", Right: true}, {Title: "% of run", Right: true},
		{Title: "self", Right: true}, {Title: "self, % of " + p.selfBase(), Right: true}, {Title: "waiting", Right: true},
		{Title: "calls", Right: true}, {Title: "avg", Right: true},
	}}
	var walk func(calls []*tree.Call, indent string)
	walk = func(calls []*tree.Call, indent string) {
		folded, n := tree.Call{}, 0
		for _, c := range calls {
			if c.Total < reports.LeastShare*p.tree.Total {
				folded.Calls += c.Calls
				if n++; len(c.Within) == 0 { // else it is in what contains it
					folded.Total += c.Total
					folded.Self += c.Total // of all that is in it
				}
				if math.IsNaN(c.Self) {
					folded.Self = c.Self // what lies in it lies in others, too
				}
				continue
			}
			name := indent + c.Name
			if len(c.Within) > 0 {
				name += fmt.Sprintf(" (in %d scopes)", len(c.Within))
			}
			t.Rows = append(t.Rows, p.hierarchyRow(name, c))
			walk(c.Children, indent+"· ")
		}
		if n > 0 {
			t.Rows = append(t.Rows, p.hierarchyRow(fmt.Sprintf("%s(%s below %.1f %%)", indent, reports.Plural(n, "scope"), 100*reports.LeastShare), &folded))
		}
	}
	walk(p.tree.Scopes, "")
	return t.WithoutEmpty(5)
}

func (p suite) hierarchyRow(name string, c *tree.Call) []reports.Cell {
	return []reports.Cell{
		{Text: name}, {Text: millis(c.Total)}, {Text: share(c.Total, p.tree.Total)}, {Text: millis(c.Self)}, {Text: p.selfShare(c.Self)},
		waitingCell(c), {Text: reports.WithCommas(fmt.Sprint(c.Calls))}, {Text: nanos(c.Total / float64(c.Calls))},
	}
}

// insights are what a reader should look at first. Shares are of self times, so that
// nested scopes do not count twice.
func (p suite) insights(methods []*tree.Method) []reports.Note {
	var out []reports.Note
	if p.tree.Placed {
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
	for _, m := range methods {
		if m.Forked > 0 {
			out = append(out, reports.Note{Text: fmt.Sprintf("workers together worked %.2f times as long as the scope that waited for them:", m.Forked/m.Total), Detail: m.Name})
		}
	}
	return out
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
