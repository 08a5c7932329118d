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

// A pair holds two methods of a suite that do the same work, without and with a way to save memory.
type pair struct {
	saving        inference.Saving
	without, with *tree.Method
}

// pairs finds the pairs among the methods by their names. It considers only methods whose
// allocations were counted.
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

// bytesACall returns the bytes both methods allocate per call, including the scopes inside.
func (p pair) bytesACall() (without, with float64) {
	return p.without.Bytes / float64(p.without.Calls), p.with.Bytes / float64(p.with.Calls)
}

// objectsACall returns the objects both methods allocate per call, including the scopes inside, or
// NaN if they were not counted.
func (p pair) objectsACall() (without, with float64) {
	return p.without.Objects / float64(p.without.Calls), p.with.Objects / float64(p.with.Calls)
}

// saved returns the saved share of the bytes, or NaN if it is unknown.
func (p pair) saved() float64 { return inference.Saved(p.bytesACall()) }

// savings returns a table for each way of saving memory in the suite. The tables compare the times
// of the fastest calls, because with few calls, a single disturbed one spoils the average.
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

// words explains the numbers in a table of savings.
func (p pair) words() []string {
	words := []string{"Averages per call, including the scopes inside. Saved: 1 - B/call with / B/call without."}
	if p.saving == inference.Pooled {
		words = append(words, "The calls that fill the pool count, too, so it saves less if there are few calls.")
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

// savedCell returns a cell with the saved share. A negative share is marked as bad.
func savedCell(x float64) reports.Cell {
	cell := known(x, inference.SavedText)
	if x < 0 {
		cell.Tone = reports.Bad
	}
	return cell
}

// known returns a cell with a formatted number, or an empty cell if the number is unknown.
func known(x float64, format func(float64) string) reports.Cell {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return reports.Cell{}
	}
	return reports.Cell{Text: format(x)}
}

// A collected is a scope for which the program printed the number of garbage collections or the
// peak memory. A missing value is NaN.
type collected struct {
	path string
	gc   float64 // number of collections per call
	peak float64 // in bytes
}

// peakUnit is the unit in which programs print peak memory.
const peakUnit = "peak-B"

// collections returns the garbage collections and the peak memory in the suite's scopes, in the
// round shown.
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

// shown returns the value of b in a unit in the round shown, or NaN.
func (p suite) shown(b *record.Benchmark, unit string) float64 {
	s, _ := b.Unit(unit)
	round := slices.IndexFunc(b.Rounds, func(r record.Round) bool { return r.N == p.tree.Round })
	if round < 0 || round >= len(s.Values) {
		return math.NaN()
	}
	return s.Values[round]
}

// collectionTable returns the table of garbage collections and peak memory by scope, or nil if the
// program printed neither.
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

// gcText formats a number of garbage collections per call, with enough digits to show even a few
// collections in many calls.
func gcText(x float64) string { return strings.TrimSuffix(reports.AtLeast(3, x), ".00") }
