package family

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/reports/family/cells"
	"github.com/perftrack/perftrack/reports/inference"
	"github.com/perftrack/perftrack/reports/profile"
	"github.com/perftrack/perftrack/runner/naming"
	"github.com/perftrack/perftrack/runner/record"
)

// A pair holds two readings of equivalent benchmarks in one run: without and with a way to save
// memory.
type pair struct{ without, with reading }

// pairs returns the pairs that show a way to save memory. It finds them by the names of the
// benchmarks.
func (v *view) pairs(s inference.Saving) (out []pair) {
	for _, with := range v.readings {
		name := with.BenchmarkID
		wasteful, ok := s.Wasteful(name.Name)
		if !ok || v.sameBenchmark(with) || slices.ContainsFunc(out, func(newer pair) bool {
			return newer.with.run.Target == with.run.Target && newer.with.BenchmarkID == with.BenchmarkID
		}) {
			continue
		}
		name.Name = wasteful
		for _, without := range v.readings {
			if without.run == with.run && without.BenchmarkID == name {
				out = append(out, pair{without, with})
			}
		}
	}
	slices.SortStableFunc(out, func(a, b pair) int { return byName(a.with, b.with) })
	return out
}

// sameBenchmark reports whether r is a scope also measured as a benchmark. The benchmark then has
// the same numbers from more calls.
func (v *view) sameBenchmark(r reading) bool {
	return r.Kind == record.Scope && slices.ContainsFunc(v.readings, func(other reading) bool {
		return other.Kind == record.Bench && other.run.Target == r.run.Target && other.Suite == r.Suite && other.Name == r.Name
	})
}

// samples returns the number of training samples processed per second, or NaN if it is unknown.
func (r reading) samples() float64 {
	if n := naming.ExamplesOf(r.run)[r.Name]; r.Kind == record.Scope && n > 0 {
		return n / r.center("sec/op")
	}
	return r.center("samples/s")
}

// saved returns the saved share of the bytes, or NaN if it is unknown.
func (p pair) saved() float64 {
	return inference.Saved(p.without.center("B/op"), p.with.center("B/op"))
}

// memory reports how much memory pools, in-place operations and fused kernels save.
func memory(v *view) reports.Report {
	r := reports.Report{Facts: v.facts()}
	if len(v.readings) == 0 {
		r.Summary, r.Tone = "Nothing has been measured yet: run perftrack run", reports.Warn
		return r
	}
	n := 0
	least, most := math.Inf(1), math.Inf(-1)
	for _, s := range inference.Savings {
		for _, p := range v.pairs(s) {
			if x := p.saved(); !math.IsNaN(x) {
				n, least, most = n+1, min(least, x), max(most, x)
			}
		}
	}
	switch n {
	case 0:
		r.Summary, r.Tone = "No pair of benchmarks or scopes shows how much memory a technique saves", reports.Warn
		r.Remarks = append(r.Remarks, reports.Note{Text: "pairs are found by their names: X_Fresh and X_Pooled, X_Allocating and X_InPlace, X_Steps and X_Fused, in one run"})
	case 1:
		r.Summary = "1 memory-saving technique was measured: it saves " + inference.SavedText(least) + " of the bytes"
	default:
		r.Summary = reports.Plural(n, "memory-saving technique") + " were measured: they save " + inference.SavedText(least) + " to " + inference.SavedText(most) + " of the bytes"
	}
	r.Tables = append(r.Tables, v.pairTables()...)
	if t, ok := v.training(); ok {
		r.Tables = append(r.Tables, t)
	}
	r.Tables = append(r.Tables, v.collections(), v.allocators())
	r.Remarks = append(r.Remarks, v.doubts()...)
	return r
}

// pairTables returns a table for each measured way of saving memory.
func (v *view) pairTables() (out []reports.Table) {
	for _, s := range inference.Savings {
		pairs := v.pairs(s)
		if len(pairs) == 0 {
			continue
		}
		t := reports.Table{
			Heading: s.Heading, Facts: cells.RunFacts(pairs[0].with.run, pairs[0].with.Suite), Words: []string{"Per operation; for scopes, per call. Saved: 1 - B/op with / B/op without."},
			Columns: []reports.Column{
				{Title: "without", Code: true}, {Title: "with", Code: true},
				{Over: "without", Title: "B/op", Right: true}, {Over: "with", Title: "B/op", Right: true}, {Title: "saved", Right: true}, cells.BarColumn("bytes left, to scale"),
				{Over: "without", Title: "allocs/op", Right: true}, {Over: "with", Title: "allocs/op", Right: true},
				{Over: "without", Title: "gc/op", Right: true}, {Over: "with", Title: "gc/op", Right: true},
				{Over: "without", Title: "time", Right: true}, {Over: "with", Title: "time", Right: true},
			},
		}
		for _, p := range pairs {
			saved := reports.Cell{}
			if x := p.saved(); !math.IsNaN(x) {
				saved = reports.Cell{Text: inference.SavedText(x), Value: x}
				if x < 0 { // it allocates more
					saved.Tone = reports.Bad
				}
			}
			t.Rows = append(t.Rows, []reports.Cell{
				cells.Text(p.without.Name), cells.Text(p.with.Name),
				cells.Number(p.without.center("B/op"), "B/op"), cells.Number(p.with.center("B/op"), "B/op"), saved, cells.Bar(p.with.center("B/op") / p.without.center("B/op")),
				plain(p.without.center("allocs/op")), plain(p.with.center("allocs/op")),
				plain(p.without.center("gc/op")), plain(p.with.center("gc/op")),
				cells.Measured(p.without.get("sec/op"), "sec/op"), cells.Measured(p.with.get("sec/op"), "sec/op"),
			})
		}
		out = append(out, t.WithoutEmpty(6))
	}
	return out
}

// training returns a table of the benchmarks for backward passes and training. It returns false
// if there are none.
func (v *view) training() (reports.Table, bool) {
	t := reports.Table{Heading: "Backward passes and training", Columns: []reports.Column{
		{Title: "benchmark", Code: true}, {Title: "B/op", Right: true}, {Title: "allocs/op", Right: true}, {Title: "gc/op", Right: true}, {Title: "time", Right: true}, {Title: "samples/s", Right: true},
	}}
	for _, r := range v.readings {
		trained := r.Kind == record.Bench || !math.IsNaN(r.samples()) && !v.sameBenchmark(r)
		if !trained || r.Suite != "training" && !strings.Contains(strings.ToLower(r.Name), "backward") && !strings.Contains(strings.ToLower(r.Name), "train") {
			continue
		}
		if len(t.Rows) == 0 {
			t.Facts = cells.RunFacts(r.run, r.Suite)
		}
		t.Rows = append(t.Rows, []reports.Cell{
			cells.Text(r.Name), cells.Number(r.center("B/op"), "B/op"), plain(r.center("allocs/op")), plain(r.center("gc/op")), cells.Measured(r.get("sec/op"), "sec/op"), plain(r.samples()),
		})
	}
	return t.WithoutEmpty(3), len(t.Rows) > 0
}

// collections returns a table with the measured garbage collections and the peak memory of each
// benchmark.
func (v *view) collections() reports.Table {
	t := reports.Table{Heading: "Garbage collections and peak memory", Columns: []reports.Column{{Title: "benchmark", Code: true}, {Title: "gc/op", Right: true}, {Title: "operations per collection", Right: true}, {Title: "peak", Right: true}}}
	peaks := false
	for _, r := range v.readings {
		peak := reports.Cell{}
		for _, x := range r.values {
			if strings.HasPrefix(x.unit, "peak-") && x.N > 0 {
				peak, peaks = cells.Number(x.Center, strings.TrimPrefix(x.unit, "peak-")), true
			}
		}
		gc := r.center("gc/op")
		if math.IsNaN(gc) && peak.Text == "" {
			continue
		}
		t.Rows = append(t.Rows, []reports.Cell{cells.Text(r.Name), plain(gc), plain(math.Round(1 / gc)), peak})
	}
	if len(t.Rows) == 0 {
		t.Columns = nil
		t.Words = append(t.Words, "No benchmark reports gc/op, so the number of collections is unknown.")
	}
	if !peaks {
		t.Words = append(t.Words, "No benchmark reports a peak (in a unit such as peak-B), so the peak is unknown.")
	}
	t.Words = append(t.Words, v.processes()...)
	return t.WithoutEmpty(1)
}

// processes describes the garbage collections and the memory of the profiled process, for the
// newest run of each profile.
func (v *view) processes() (words []string) {
	seen := map[[3]string]bool{}
	for _, run := range v.Current {
		for _, of := range v.trees[run] {
			key := [3]string{run.Target, of.Package, of.Suite}
			if text := profile.ProcessText(run, of); text != "" && !seen[key] {
				words = append(words, strings.TrimSpace(fmt.Sprintf("Profile of %s %s", run.Target, of.Suite))+": "+text)
			}
			seen[key] = true
		}
	}
	return words
}

// shownAllocating is the maximum number of allocators to list.
const shownAllocating = 10

// allocators returns a table of the benchmarks and scopes that allocate the most bytes per
// operation.
func (v *view) allocators() reports.Table {
	t := reports.Table{Heading: "Most bytes per operation, top ten", Columns: []reports.Column{
		{Title: "benchmark", Code: true}, {Title: "target", Code: true}, {Title: "B/op", Right: true}, cells.BarColumn("to scale"), {Title: "allocs/op", Right: true}, {Title: "change", Right: true}, {Title: "verdict"},
	}}
	all := slices.DeleteFunc(slices.Clone(v.readings), func(r reading) bool { return !(r.center("B/op") > 0) })
	slices.SortStableFunc(all, func(a, b reading) int {
		switch x, y := a.center("B/op"), b.center("B/op"); {
		case x > y:
			return -1
		case x < y:
			return 1
		}
		return byName(a, b)
	})
	for _, r := range all[:min(len(all), shownAllocating)] {
		t.Rows = append(t.Rows, append([]reports.Cell{
			cells.Text(r.Name), cells.Text(r.run.Target), cells.Number(r.center("B/op"), "B/op"), cells.Bar(r.center("B/op") / all[0].center("B/op")), plain(r.center("allocs/op")),
		}, v.change(r.run, r.BenchmarkID, "B/op")...))
	}
	t.Words = []string{"For a scope, an operation is one call, including the scopes inside."}
	if len(t.Rows) == 0 {
		t.Columns, t.Words = nil, []string{"No benchmark reports allocations."}
	}
	return t.WithoutEmpty(4)
}
