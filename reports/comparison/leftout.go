package comparison

import (
	"strings"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/runner/record"
)

// A Reason is the reason why a benchmark has no row. The values are stable, so programs can rely on
// them.
type Reason string

// These are the reasons why a benchmark has no row.
const (
	Missing   Reason = "missing"
	New       Reason = "new"
	Cut       Reason = "interrupted"
	SameCode  Reason = "same-code"
	Unreached Reason = "unreached"
	Rewritten Reason = "rewritten"
	Failed    Reason = "failed"
	Broken    Reason = "failed-in-both" // not caused by the change
)

// A LeftOut lists the benchmarks without a row for a particular reason.
type LeftOut struct {
	Why   Reason
	Title string         // title of the list, in perftrack's own words
	Items []reports.Note // at least one
	N     int            // number of benchmarks if an item represents several of them, else 0
}

// LeftOuts returns the benchmarks not measured on both sides, grouped by reason in the order of
// reports. It leaves out benchmarks with too few rounds, because they have a row or a caveat.
func LeftOuts(c *compare.Comparison) (all []LeftOut) {
	add := func(why Reason, title string, items []reports.Note) {
		if len(items) > 0 {
			all = append(all, LeftOut{Why: why, Title: title, Items: items})
		}
	}
	add(Missing, "missing in head", oneSidedNotes(c.Missing))
	add(New, "new in head", oneSidedNotes(c.New))
	add(Cut, "measured on only one side: interrupted before the other", oneSidedNotes(c.Cut))
	var same, unreached, rewritten, failed, broken []reports.Note
	of := func(n int, name string) reports.Note {
		return reports.Note{Text: reports.Plural(n, "benchmark") + " of", Detail: strings.TrimSpace(name)}
	}
	sameOnes, unreachedOnes := 0, 0
	for _, s := range c.Same {
		sameOnes += s.Benchmarks
		same = append(same, of(s.Benchmarks, s.Name()))
	}
	for _, u := range c.Unreached {
		unreachedOnes += u.Benchmarks
		unreached = append(unreached, of(u.Benchmarks, u.Target+" "+u.Package))
	}
	for _, w := range c.Rewritten {
		rewritten = append(rewritten, reports.Note{Detail: reports.BenchmarkName(w.Target, record.BenchmarkID{Package: w.Package, Name: w.Name})})
	}
	for _, f := range c.Failures {
		what := reports.FailureName(f.Target, f.Benchmark) + ": " + f.Reason
		switch {
		case !c.FailsInBoth(f):
			failed = append(failed, reports.Note{Text: string(f.Side), Detail: what})
		case f.Side == record.Head:
			broken = append(broken, reports.Note{Detail: what})
		}
	}
	several := func(why Reason, title string, items []reports.Note, n int) {
		if add(why, title, items); len(items) > 0 {
			all[len(all)-1].N = n
		}
	}
	several(SameCode, "not measured: "+compare.SamenessOf(c.Same...).String(), same, sameOnes)
	several(Unreached, "not measured: they reach no changed code", unreached, unreachedOnes)
	add(Rewritten, "not comparable: the benchmark changed, and neither side's test files build with the other side's code", rewritten)
	add(Failed, "failed", failed)
	add(Broken, "failed on both sides, so this change is not the cause", broken)
	return all
}

// oneSidedNotes returns one note for each benchmark in list, with its name. The benchmarks are
// missing on one side.
func oneSidedNotes(list []compare.OneSided) (items []reports.Note) {
	for _, u := range list {
		item := reports.Note{Detail: reports.BenchmarkName(u.Target, u.BenchmarkID)}
		if u.Unit != "" {
			item.Detail += " " + u.Unit
		}
		items = append(items, item)
	}
	return items
}
