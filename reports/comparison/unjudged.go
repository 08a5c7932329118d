package comparison

import (
	"strings"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/runner/record"
)

// A Reason is why something has no row: stable, for programs.
type Reason string

// The reasons for which something has no row.
const (
	Missing   Reason = "missing"
	New       Reason = "new"
	Cut       Reason = "interrupted"
	SameCode  Reason = "same-code"
	Unreached Reason = "unreached"
	Rewritten Reason = "rewritten"
	Failed    Reason = "failed"
	Broken    Reason = "failed-in-both" // on both sides: no change made it fail
)

// A Left is what has no row for one reason.
type Left struct {
	Why   Reason
	Title string         // of the list, in perftrack's own words
	Items []reports.Note // what it is, one at least
	N     int            // how many benchmarks these are, where an item stands for several; else 0
}

// sameCodeTitle is that of what needed no measuring.
const sameCodeTitle = "not measured: the same machine code on both sides"

// Unjudged returns what a comparison has no verdict on because it was not measured on both
// sides, by the reason, in the order of reports. What got too few rounds is among the rows, or
// is a caveat.
func Unjudged(c *compare.Comparison) (all []Left) {
	add := func(why Reason, title string, items []reports.Note) {
		if len(items) > 0 {
			all = append(all, Left{Why: why, Title: title, Items: items})
		}
	}
	add(Missing, "missing in head", unpairedNotes(c.Missing))
	add(New, "new in head", unpairedNotes(c.New))
	add(Cut, "measured on one side only: interrupted before the other one", unpairedNotes(c.Cut))
	var same, unreached, rewritten, failed, broken []reports.Note
	of := func(n int, target, pkg string) reports.Note {
		return reports.Note{Text: reports.Plural(n, "benchmark") + " of", Detail: strings.TrimSpace(target + " " + pkg)}
	}
	sameOnes, unreachedOnes := 0, 0
	for _, s := range c.Same {
		sameOnes += s.Benchmarks
		same = append(same, of(s.Benchmarks, s.Target, s.Package))
	}
	for _, u := range c.Unreached {
		unreachedOnes += u.Benchmarks
		unreached = append(unreached, of(u.Benchmarks, u.Target, u.Package))
	}
	for _, w := range c.Rewritten {
		rewritten = append(rewritten, reports.Note{Detail: reports.BenchmarkName(w.Target, record.BenchmarkID{Package: w.Package, Name: w.Name})})
	}
	for _, f := range c.Failures {
		what := strings.TrimSpace(f.Target+" "+f.Benchmark) + ": " + f.Reason
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
	several(SameCode, sameCodeTitle, same, sameOnes)
	several(Unreached, "not measured: they reach no changed code", unreached, unreachedOnes)
	add(Rewritten, "not comparable: the benchmark changed, and the test files of neither side build with the code of the other", rewritten)
	add(Failed, "failed", failed)
	add(Broken, "failed on both sides, so not because of this change", broken)
	return all
}

// unpairedNotes name what one side lacks.
func unpairedNotes(list []compare.Unpaired) (items []reports.Note) {
	for _, u := range list {
		item := reports.Note{Detail: reports.BenchmarkName(u.Target, u.BenchmarkID)}
		if u.Unit != "" {
			item.Detail += " " + u.Unit
		}
		items = append(items, item)
	}
	return items
}
