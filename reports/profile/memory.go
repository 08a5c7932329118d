package profile

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/compare/tree"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/reports/inference"
	"github.com/perftrack/perftrack/runner/record"
)

// A pair is two methods of a suite that do the same, of which one is to allocate less.
type pair struct {
	saving        inference.Saving
	without, with *tree.Method
}

// pairs are those whose allocations were counted, found by their names.
func (p suite) pairs(methods []*tree.Method) (out []pair) {
	byName := map[string]*tree.Method{}
	for _, m := range methods {
		if m.Counted && !math.IsNaN(m.Bytes) {
			byName[m.Name] = m
		}
	}
	for _, s := range inference.Savings {
		first := len(out)
		for _, m := range byName {
			wasteful, ok := s.Wasteful(m.Name)
			if without := byName[wasteful]; ok && without != nil {
				out = append(out, pair{s, without, m})
			}
		}
		slices.SortFunc(out[first:], func(a, b pair) int { return cmp.Compare(a.with.Name, b.with.Name) })
	}
	return out
}

// bytesACall are what a call of either allocates, with the scopes inside.
func (p pair) bytesACall() (without, with float64) {
	return p.without.Bytes / float64(p.without.Calls), p.with.Bytes / float64(p.with.Calls)
}

// objectsACall are the objects that a call of either allocates; NaN where they were not counted.
func (p pair) objectsACall() (without, with float64) {
	return p.without.Objects / float64(p.without.Calls), p.with.Objects / float64(p.with.Calls)
}

// saved is the part of the bytes that is no longer allocated; NaN where nothing was.
func (p pair) saved() float64 { return inference.Saved(p.bytesACall()) }

// savings are a table for each way to save memory that the suite has; none where it has no pair.
// It compares the fastest calls, since the average of a few calls is that of the one that was
// disturbed.
func (p suite) savings(methods []*tree.Method) (tables []reports.Table) {
	for _, one := range p.pairs(methods) {
		if n := len(tables); n == 0 || tables[n-1].Heading != one.saving.Heading {
			tables = append(tables, reports.Table{
				Heading: one.saving.Heading, Facts: p.facts(), Words: one.words(),
				Columns: []reports.Column{
					{Title: "without", Code: true}, {Title: "with", Code: true},
					{Over: "without", Title: "B/call", Right: true}, {Over: "with", Title: "B/call", Right: true}, {Title: "saved", Right: true},
					{Over: "without", Title: "objects/call", Right: true, Extra: true}, {Over: "with", Title: "objects/call", Right: true, Extra: true},
					{Over: "without", Title: "min", Right: true, Extra: true}, {Over: "with", Title: "min", Right: true, Extra: true},
				},
			})
		}
		t := &tables[len(tables)-1]
		t.Rows = append(t.Rows, one.cells())
	}
	for i := range tables {
		tables[i] = tables[i].WithoutEmpty(4)
	}
	return tables
}

// words say what the numbers of such pairs are.
func (p pair) words() []string {
	words := []string{"Each for one call on average, with the scopes inside. Saved: 1 - B/call with / B/call without."}
	if p.saving == inference.Pooled {
		words = append(words, "The calls that fill the pool count, too: the fewer calls, the less it saves.")
	}
	return words
}

func (p pair) cells() []reports.Cell {
	bytesWithout, bytesWith := p.bytesACall()
	objectsWithout, objectsWith := p.objectsACall()
	return []reports.Cell{
		{Text: p.without.Name}, {Text: p.with.Name}, {Text: sizeText(bytesWithout)}, {Text: sizeText(bytesWith)}, savedCell(p.saved()),
		known(objectsWithout, reports.Fixed), known(objectsWith, reports.Fixed), known(p.without.Min, nanos), known(p.with.Min, nanos),
	}
}

// savedCell shows a saved part; one that is negative, as a warning.
func savedCell(x float64) reports.Cell {
	cell := known(x, inference.SavedText)
	if x < 0 {
		cell.Tone = reports.Bad
	}
	return cell
}

// known is the cell of a number, empty where it is not known.
func known(x float64, format func(float64) string) reports.Cell {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return reports.Cell{}
	}
	return reports.Cell{Text: format(x)}
}

// A collected scope is one whose program says how often the collector ran in a call, or how
// much memory it had at most. What it does not say is NaN.
type collected struct {
	path string
	gc   float64 // collections a call
	peak float64 // bytes
}

// peakUnit is the unit of the memory that a program had at most.
const peakUnit = "peak-B"

// collections are what the scopes of the suite say of the collector, in the round that is shown.
func (p suite) collections() (out []collected) {
	for i := range p.run.Benchmarks {
		b := &p.run.Benchmarks[i]
		if b.Kind != record.Scope || b.Suite != p.tree.Suite || b.Package != p.tree.Package {
			continue
		}
		c := collected{b.Name, p.shown(b, "gc/op"), p.shown(b, peakUnit)}
		if !math.IsNaN(c.gc) || !math.IsNaN(c.peak) {
			out = append(out, c)
		}
	}
	return out
}

// shown is the value of a unit in the round that is shown; NaN where there is none.
func (p suite) shown(b *record.Benchmark, unit string) float64 {
	s, _ := b.Unit(unit)
	round := slices.IndexFunc(b.Rounds, func(r record.Round) bool { return r.N == p.tree.Round })
	if round < 0 || round >= len(s.Values) {
		return math.NaN()
	}
	return s.Values[round]
}

// collectionTable says how often the collector ran and how much memory there was at most; no
// table where the program says neither.
func (p suite) collectionTable() []reports.Table {
	t := reports.Table{Heading: "Garbage collections and peak memory, by scope", Facts: p.facts(), Columns: []reports.Column{
		{Title: "scope", Code: true}, {Title: "gc/call", Right: true}, {Title: "peak", Right: true},
	}}
	for _, c := range p.collections() {
		t.Rows = append(t.Rows, []reports.Cell{{Text: c.path}, known(c.gc, gcText), known(c.peak, sizeText)})
	}
	if len(t.Rows) == 0 {
		return nil
	}
	return []reports.Table{t.WithoutEmpty(1)}
}

// gcText shows collections a call, of which there may be few in many calls.
func gcText(x float64) string { return strings.TrimSuffix(reports.AtLeast(3, x), ".00") }
