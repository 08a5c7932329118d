// Package runs reports runs without comparing them. Tables have one row for each benchmark, and
// JSON has all samples.
package runs

import (
	"fmt"
	"math"
	"slices"

	"github.com/aclements/go-moremath/stats"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/reports/inference"
	"github.com/perftrack/perftrack/runner/record"
)

// Report reports runs in tables, one for each package and suite, with a row for each benchmark and
// a column for each unit. It also reports whether limits are met.
func Report(limits compare.Limits, runs ...*record.Run) reports.Report {
	r := reports.Report{
		Title:    "Run",
		Kind:     "run",
		Document: func() reports.Object { return document(limits, runs) },
		Records:  func() [][]any { return records(limits, runs) },
		Outcomes: func() []reports.Outcome { return append(outcomes(runs), limitOutcomes(limits, runs)...) },
	}
	notes := &reports.Footnotes{}
	for _, run := range runs {
		facts := reports.RunFacts(run)
		for _, group := range groups(run) {
			r.Tables = append(r.Tables, table(run, facts, group, notes))
		}
	}
	r.Notes = notes.Notes
	reports.AddShortfalls(&r, runs)
	for _, run := range runs {
		if load, busy := compare.Busy(run); busy {
			r.Remarks = append(r.Remarks, reports.Note{Text: compare.BusyWords(load), Detail: run.Target})
		}
		r.Remarks = append(r.Remarks, scattered(run)...)
	}
	addLimits(&r, limits, runs)
	if len(r.Tables) == 0 {
		r.Summary, r.Tone = "no benchmarks", reports.Warn
	}
	return r
}

// wild is the half-width of an interval, relative to the median, above which a time is too
// imprecise to quote.
const wild = 0.5

// scattered returns a note that counts the benchmarks whose times are too imprecise to quote, or
// nil if there are none.
func scattered(run *record.Run) []reports.Note {
	n := 0
	for i := range run.Benchmarks {
		s, ok := run.Benchmarks[i].Unit("ns/op")
		if !ok || run.Benchmarks[i].Kind != record.Bench {
			continue
		}
		sum, _ := compare.Summarize(s, run.Exact("ns/op"), reports.Confidence)
		if width := max(sum.Hi-sum.Center, sum.Center-sum.Lo); width > wild*sum.Center && !math.IsInf(width, 0) {
			n++
		}
	}
	if n == 0 {
		return nil
	}
	return []reports.Note{{Text: fmt.Sprintf("the time of %s has an interval of ± %.0f %% or more: use more --rounds or a longer --benchtime; `perftrack doctor` finds what disturbs the machine",
		reports.Plural(n, "benchmark"), 100*wild), Detail: run.Target}}
}

// groups returns the benchmarks of a run grouped by kind, package and suite. Within a group, they
// are in the order of measurement.
func groups(r *record.Run) [][]*record.Benchmark {
	all := make([]*record.Benchmark, len(r.Benchmarks))
	for i := range r.Benchmarks {
		all[i] = &r.Benchmarks[i]
	}
	group := func(b *record.Benchmark) record.BenchmarkID {
		id := b.BenchmarkID
		id.Name = ""
		return id
	}
	slices.SortStableFunc(all, func(a, b *record.Benchmark) int {
		if c := group(a).Compare(group(b)); c != 0 {
			return c
		}
		return comparePlaces(a, b)
	})
	var out [][]*record.Benchmark
	for _, b := range all {
		if n := len(out); n > 0 && group(out[n-1][0]) == group(b) {
			out[n-1] = append(out[n-1], b)
		} else {
			out = append(out, []*record.Benchmark{b})
		}
	}
	return out
}

// comparePlaces compares two benchmarks by the round and the order of their first samples.
func comparePlaces(a, b *record.Benchmark) int {
	place := func(b *record.Benchmark) []int {
		if len(b.Rounds) == 0 {
			return nil
		}
		return []int{b.Rounds[0].N, b.Rounds[0].Order}
	}
	return slices.Compare(place(a), place(b))
}

func table(run *record.Run, facts []reports.Fact, group []*record.Benchmark, notes *reports.Footnotes) reports.Table {
	id := group[0].BenchmarkID
	t := reports.Table{Facts: slices.Clone(facts), Columns: []reports.Column{{Code: true}}}
	if id.Kind == record.Scope {
		t.Facts = append(t.Facts, reports.Fact{Key: record.KeyProfile, Value: record.ProfileScopes})
	}
	for _, f := range []reports.Fact{{Key: record.KeyPackage, Value: id.Package}, {Key: record.KeySuite, Value: id.Suite}} {
		if f.Value != "" {
			t.Facts = append(t.Facts, f)
		}
	}
	units := unitsOf(group)
	footer := []reports.Cell{{Text: "geomean"}}
	for i, unit := range units {
		cells := make([]reports.Cell, len(group))
		var centers []float64
		title := unit
		for k, b := range group {
			s, ok := b.Unit(unit)
			sum, tidied := compare.Summarize(s, run.Exact(unit), reports.Confidence)
			if !ok || sum.N == 0 {
				continue
			}
			title = tidied
			centers = append(centers, sum.Center)
			cells[k] = reports.SummaryCell(sum, reports.ScaleFor(tidied, sum.Center), notes)
			if i > 0 && sum.Told == nil {
				cells[k].Range, cells[k].Notes = "", nil
			}
		}
		t.Columns = append(t.Columns, reports.Column{Title: title, Unit: true, Right: true, Extra: i > 0})
		t.AddColumn(cells)
		mean := reports.Cell{}
		if g := stats.GeoMean(centers); !math.IsNaN(g) {
			mean.Text = reports.ScaleFor(title, g).Format(g)
		}
		footer = append(footer, mean)
		if unit == "GFLOPS" && addPeak(&t, run, group) {
			footer = append(footer, reports.Cell{})
		}
	}
	t.Columns = append(t.Columns, reports.Column{Title: "n", Right: true})
	cells := make([]reports.Cell, len(group))
	for k, b := range group {
		cells[k].Text = samplesOf(b)
	}
	t.AddColumn(cells)
	for k, b := range group {
		t.Rows[k] = append([]reports.Cell{{Text: b.Name}}, t.Rows[k]...)
	}
	if len(group) > 1 {
		t.Footer = append(footer, reports.Cell{})
	}
	return t
}

// samplesOf returns the number of samples of a benchmark or, for a summary, of those behind it.
func samplesOf(b *record.Benchmark) string {
	for _, s := range b.Series() {
		if sum, ok := s.Summary(); ok && sum.N > 0 {
			return fmt.Sprint(sum.N)
		} else if ok {
			return "?"
		}
	}
	return fmt.Sprint(len(b.Rounds))
}

// addPeak adds a column with each rate relative to the machine's peak rate if the program measured
// the peak, and reports whether it added the column.
func addPeak(t *reports.Table, run *record.Run, group []*record.Benchmark) bool {
	peak := inference.PeakOf(run)
	if math.IsNaN(peak) {
		return false
	}
	cells := make([]reports.Cell, len(group))
	for k, b := range group {
		s, ok := b.Unit("GFLOPS")
		sum, _ := compare.Summarize(s, run.Exact("GFLOPS"), reports.Confidence)
		if ok && sum.N > 0 {
			cells[k].Text = reports.Portion(inference.OfPeak(b.Name, sum.Center, peak))
		}
	}
	t.Words = append(t.Words, inference.PeakWords(reports.AtLeast(3, peak)))
	t.Columns = append(t.Columns, reports.Column{Title: "of peak", Right: true, Extra: true})
	t.AddColumn(cells)
	return true
}

// unitsOf lists the units of the benchmarks, as the benchmarks printed them.
func unitsOf(group []*record.Benchmark) []string {
	var units []string
	for _, b := range group {
		for _, s := range b.Series() {
			if !slices.Contains(units, s.Unit) {
				units = append(units, s.Unit)
			}
		}
	}
	slices.SortFunc(units, record.CompareUnits)
	return units
}
