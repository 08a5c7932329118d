package github

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/reports/comparison"
	"github.com/perftrack/perftrack/runner/record"
)

// What is folded: all that a verdict rests on, row by row, and what has none.

// numbers are the rows that changed with all that was found of them.
func (f *Finding) numbers() list {
	l := f.fill(f.changed, []column{
		{title: "change"}, {title: "measured in", wraps: true}, {title: "verdict", wraps: true}, {title: "adj. p"}, {title: "raw medians, unpaired p", wraps: true},
	}, func(r row, w comparison.RowWords) []string {
		verdict := words(string(r.verdict()))
		switch {
		case r.accept != "":
			verdict += ": " + inline(r.accept)
		case r.verdict() == compare.Regressed:
			verdict = "<b>" + verdict + "</b>"
		}
		if w.Reason != "" && w.Reason != string(r.verdict()) { // an accepted row may have it as its reason already
			verdict += words(" (" + w.Reason + ")")
		}
		return []string{words(estimate(r, w)), words(measured(w)), verdict, words(w.P), raw(w)}
	})
	l.title, l.what = "numbers of "+reports.Plural(len(f.changed), "changed row"), "changed rows, smaller changes,"
	for _, r := range f.changed {
		l.verdicts = append(l.verdicts, r.verdict())
	}
	return l
}

// measured says what a change rests on; of runs that were not measured in pairs, how many
// samples there are.
func measured(w comparison.RowWords) string {
	if w.Measured == "" {
		return w.Samples + " samples a side"
	}
	return w.Measured
}

// raw shows the medians of the samples of both sides, and benchstat's p of them.
func raw(w comparison.RowWords) string {
	text := unbroken(w.Base) + " → " + unbroken(w.Head)
	if w.Unpaired != "" {
		text += words(" (p\u00a0" + w.Unpaired + ")")
	}
	return text
}

// unbroken keeps a median with its spread on one line.
func unbroken(text string) string { return words(strings.ReplaceAll(text, " ", "\u00a0")) }

// estimate is the estimated change with its interval, or the plain delta if there is no
// estimate.
func estimate(r row, w comparison.RowWords) string {
	if w.Change != "" || !r.row.Compared() || math.IsNaN(r.row.Delta) {
		return w.Change
	}
	return reports.Percent(r.row.Delta)
}

func (f *Finding) nestedList() list {
	l := list{title: reports.Plural(len(f.nested), "row") + " with the same change, not counted again", what: "such rows"}
	for _, r := range f.nested {
		w := comparison.Words(f.c, r.table, r.row)
		l.lines = append(l.lines, fmt.Sprintf("- %s %s: %s, correlated with %s\n", reports.CodeSpan(f.name(r, w)),
			reports.CodeSpan(r.row.Unit), reports.Prose(estimate(r, w)), reports.CodeSpan(r.row.CorrelatedWith.Name)))
	}
	return l
}

// lostList names the benchmarks that head lacks, has in addition, failed to measure, or
// did not need to measure.
func (f *Finding) lostList() list {
	c := f.c
	l := list{what: "benchmarks", title: fmt.Sprintf("coverage: %d of %s judged", len(f.changed)+len(f.nested)+len(f.open)+len(f.same), reports.Plural(f.rows(), "row"))}
	for _, part := range []struct {
		n    int
		word string
	}{{c.CountMissing(), "missing"}, {whole(c.New), "new"}} {
		if part.n > 0 {
			l.title += fmt.Sprintf("; %d %s", part.n, part.word)
		}
	}
	for _, failed := range c.CountFailures() {
		words, whole := comparison.FailedWords(failed)
		if !whole {
			words = fmt.Sprintf("%d %s", failed.N, words)
		}
		l.title += "; " + words
	}
	if words := comparison.UntriedWords(c); words != "" {
		l.title += "; " + words
	}
	if f.alike > 0 {
		l.title += fmt.Sprintf("; %d of the same machine code on both sides", f.alike)
	}
	if f.apart > 0 {
		l.title += fmt.Sprintf("; %d reach no changed code", f.apart)
	}
	for _, u := range c.Failures {
		where := "the " + string(u.Side) + " side"
		if c.FailsInBoth(u) {
			if where = "both sides, so not because of this change"; u.Side == record.Base {
				continue
			}
		}
		l.lines = append(l.lines, fmt.Sprintf("- failed on %s: %s\n", reports.Prose(where), reports.CodeSpan(strings.TrimSpace(u.Target+" "+u.Benchmark)+": "+u.Reason)))
	}
	for _, u := range c.Untried {
		if len(u.Benchmarks) == 0 {
			l.lines = append(l.lines, "- the base has the target, and the trial has nothing of it: "+reports.CodeSpan(u.Target)+"\n")
		}
		for _, name := range u.Benchmarks {
			l.lines = append(l.lines, "- the base has it, by its history, and neither side of the trial: "+reports.CodeSpan(u.Target+" "+name)+"\n")
		}
		if u.More > 0 {
			l.lines = append(l.lines, fmt.Sprintf("- and %d more that the base has, by its history, and neither side of the trial: %s\n", u.More, reports.CodeSpan(u.Target)))
		}
	}
	for _, side := range []struct {
		word string
		list []compare.Unpaired
	}{{"missing in head", c.Missing}, {"new in head", c.New}} {
		for _, u := range side.list {
			l.lines = append(l.lines, "- "+side.word+": "+reports.CodeSpan(strings.TrimSpace(u.Target+" "+u.Package+" "+u.Name+" "+u.Unit))+"\n")
		}
	}
	for _, lost := range c.LostParts() {
		l.lines = append(l.lines, fmt.Sprintf("- not checked: %v of %s: %s\n", lost.Part, reports.CodeSpan(lost.Target), lost.Why))
	}
	for _, s := range c.Same {
		l.lines = append(l.lines, fmt.Sprintf("- the same machine code on both sides, nothing to measure: %s of %s\n",
			reports.Plural(s.Benchmarks, "benchmark"), reports.CodeSpan(strings.TrimSpace(s.Target+" "+s.Package))))
	}
	for _, u := range c.Unreached {
		l.lines = append(l.lines, fmt.Sprintf("- reach no changed code, not measured: %s of %s\n",
			reports.Plural(u.Benchmarks, "benchmark"), reports.CodeSpan(strings.TrimSpace(u.Target+" "+u.Package))))
	}
	if len(l.lines)+len(f.short) == 0 && f.rows() > 0 {
		all := "Every benchmark was measured on both sides."
		said := func(code string) bool {
			return slices.ContainsFunc(c.Caveats, func(v compare.Caveat) bool { return v.Code == code })
		}
		switch {
		case said(compare.CodePart):
			all = "Every benchmark of this part was measured on both sides."
		case said(compare.CodeSelection):
			all = "Every benchmark that was selected was measured on both sides."
		}
		l.lines = []string{all + " Units that follow from the time, such as MB/s, are not judged again.\n"}
	}
	return l
}

func (f *Finding) rows() (n int) {
	for range f.c.Rows() {
		n++
	}
	return n
}

func (f *Finding) openList() list {
	l := f.fill(f.open, []column{
		{title: "change"}, {title: "measured in", wraps: true}, {title: "why", wraps: true}, {title: "raw medians, unpaired p", wraps: true},
	}, func(_ row, w comparison.RowWords) []string {
		return []string{words(w.Change), words(measured(w)), words(w.Reason), raw(w)}
	})
	l.title, l.what = reports.Plural(len(f.open), "row")+" undecided", "undecided rows"
	return l
}

func (f *Finding) shortList() list {
	// The rounds so far prove nothing, but a factor of 250 is better seen than not.
	l := f.fill(f.short, []column{{title: "medians so far", wraps: true}, {title: "change so far"}, {title: "measured", wraps: true}}, func(r row, w comparison.RowWords) []string {
		return []string{unbroken(w.Base) + " → " + unbroken(w.Head), words(estimate(r, w)), words(w.Reason)}
	})
	l.title, l.what = reports.Plural(len(f.short), "row")+" not checked", "such rows"
	return l
}

func (f *Finding) sameTable() list {
	l := f.fill(f.same, []column{
		{title: "change"}, {title: "measured in", wraps: true}, {title: "proven", wraps: true}, {title: "raw medians, unpaired p", wraps: true},
	}, func(_ row, w comparison.RowWords) []string {
		return []string{words(w.Change), words(measured(w)), words(w.Reason), raw(w)}
	})
	l.title, l.what = reports.Plural(len(f.same), "row")+" unchanged", "unchanged rows"
	return l
}

// fill makes a table with a line for each row: its name, followed by the cells.
func (f *Finding) fill(rows []row, columns []column, cells func(row, comparison.RowWords) []string) list {
	var lines []line
	for _, r := range rows {
		w := comparison.Words(f.c, r.table, r.row)
		lines = append(lines, line{name: f.withHome(r, w.Name, r.row.Unit), cells: cells(r, w)})
	}
	return tabulate("", "benchmark", columns, lines)
}

// fullNames are the names that a table shows in several lines, to be copied.
func (f *Finding) fullNames(table list) list {
	l := list{title: "full names", what: "names"}
	for i, b := range f.benchmarks() {
		if !strings.Contains(table.lines[i], inline(b.Name)) {
			l.lines = append(l.lines, "- "+reports.CodeSpan(b.Name)+"\n")
		}
	}
	return l
}

// caveats are what the reader must know of the whole.
func (f *Finding) caveats() list {
	l := list{what: "remarks"}
	for _, c := range f.c.Caveats {
		if c.Code != compare.CodeNotChecked { // stands above everything
			l.lines = append(l.lines, "- "+note(c.Text, c.Detail)+"\n")
		}
	}
	l.title = reports.Plural(len(l.lines), "remark")
	return l
}

func note(text, detail string) string {
	if detail == "" {
		return reports.Prose(text)
	}
	return reports.Prose(text) + ": " + reports.CodeSpan(detail)
}
