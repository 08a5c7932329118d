package github

import (
	"fmt"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/reports/comparison"
)

// This file writes the folded parts of a comment: the evidence for each verdict, row by row, and
// everything without a verdict.

// numbers lists the changed rows together with the evidence for their verdicts.
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
		if w.Reason != "" && w.Reason != string(r.verdict()) { // the reason given for an accepted row may just repeat its verdict
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

// measured describes the basis of a change: the number of rounds and their noise or, for unpaired
// runs, the number of samples.
func measured(w comparison.RowWords) string {
	if w.Measured == "" {
		return w.Samples + " samples per side"
	}
	return w.Measured
}

// raw formats the medians of both sides and benchstat's p-value.
func raw(w comparison.RowWords) string {
	text := unbroken(w.Base) + " → " + unbroken(w.Head)
	if w.Unpaired != "" {
		text += words(" (p\u00a0" + w.Unpaired + ")")
	}
	return text
}

// unbroken keeps a median with its spread on one line.
func unbroken(text string) string { return words(strings.ReplaceAll(text, " ", "\u00a0")) }

// estimate formats the estimated change with its interval or, if there is no estimate, the relative
// difference between the medians.
func estimate(r row, w comparison.RowWords) string {
	if w.Change != "" || !r.row.HasDelta() {
		return w.Change
	}
	return reports.PlainChange(r.row.Delta)
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

// lostList lists the benchmarks without a row: missing, new, failed and unmeasured ones.
func (f *Finding) lostList() list {
	c := f.c
	l := list{what: "benchmarks", title: f.coverage()}
	for _, left := range comparison.LeftOuts(c) {
		for _, item := range left.Items {
			text := left.Title + ": "
			if left.Why == comparison.Failed {
				text = left.Title + " in " + item.Text + ": "
			} else if item.Text != "" {
				text += item.Text + " "
			}
			l.lines = append(l.lines, "- "+reports.Prose(text)+reports.CodeSpan(item.Detail)+"\n")
		}
	}
	const untried = "known from the base's history, but not measured on either side"
	for _, u := range c.Untried {
		if len(u.Benchmarks) == 0 {
			l.lines = append(l.lines, "- a target in the base, but not in the trial: "+reports.CodeSpan(u.Target)+"\n")
		}
		for _, name := range u.Benchmarks {
			l.lines = append(l.lines, "- "+untried+": "+reports.CodeSpan(u.Target+" "+name)+"\n")
		}
		if u.More > 0 {
			l.lines = append(l.lines, fmt.Sprintf("- %s: %d more of %s\n", untried, u.More, reports.CodeSpan(u.Target)))
		}
	}
	for _, lost := range c.LostParts() {
		l.lines = append(l.lines, fmt.Sprintf("- not checked: %v of %s: %s\n", lost.Part, reports.CodeSpan(lost.Target), lost.Why))
	}
	if len(l.lines)+len(f.short) == 0 && f.rows() > 0 {
		l.lines = []string{f.everything() + " Units that follow from the time, such as MB/s, are not judged separately.\n"}
	}
	return l
}

// coverage counts the rows with a verdict and the benchmarks without one, by cause: "coverage: 6 of
// 8 rows judged; 1 missing".
func (f *Finding) coverage() string {
	text := fmt.Sprintf("coverage: %d of %s judged", f.judged(), reports.Plural(f.rows(), "row"))
	add := func(n int, words string) {
		if n > 0 {
			text += fmt.Sprintf("; %d %s", n, words)
		}
	}
	add(f.digest.Missing, "missing")
	add(f.digest.New, "new")
	for _, failed := range f.c.CountFailures() {
		if words, whole := comparison.FailedWords(failed); whole {
			text += "; " + words
		} else {
			add(failed.N, words)
		}
	}
	if words := comparison.UntriedWords(f.c); words != "" {
		text += "; " + words
	}
	same := "with identical machine code on both sides"
	if compare.SamenessOf(f.c.Same...) == compare.SameInputs {
		same = "that depend on nothing that changed"
	}
	add(f.digest.SameCode, same)
	add(f.digest.Unreached, "reach no changed code")
	return text
}

// everything returns a sentence such as "Every benchmark was measured on both sides."
func (f *Finding) everything() string {
	has := func(code string) bool {
		return slices.ContainsFunc(f.c.Caveats, func(v compare.Caveat) bool { return v.Code == code })
	}
	switch {
	case has(compare.CodePart):
		return "Every benchmark in this part was measured on both sides."
	case has(compare.CodeSelection):
		return "Every selected benchmark was measured on both sides."
	}
	return "Every benchmark was measured on both sides."
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
	// A few rounds prove nothing, but a change by a factor of 250 is still worth showing.
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

// fill returns a table with one line for each row. The line consists of the row's name and the
// result of cells.
func (f *Finding) fill(rows []row, columns []column, cells func(row, comparison.RowWords) []string) list {
	var lines []line
	for _, r := range rows {
		w := comparison.Words(f.c, r.table, r.row)
		lines = append(lines, line{name: f.withHome(r, w.Name, r.row.Unit), cells: cells(r, w)})
	}
	return tabulate("", "benchmark", columns, lines)
}

// fullNames lists the names broken over several lines in the table, ready to be copied.
func (f *Finding) fullNames(table list) list {
	l := list{title: "full names", what: "names"}
	for i, b := range f.benchmarks() {
		if !strings.Contains(table.lines[i], inline(b.Name)) {
			l.lines = append(l.lines, "- "+reports.CodeSpan(b.Name)+"\n")
		}
	}
	return l
}

// caveats lists the caveats about the comparison as a whole.
func (f *Finding) caveats() list {
	l := list{what: "remarks"}
	for _, c := range f.c.Caveats {
		if c.Code != compare.CodeNotChecked { // already shown at the top
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
