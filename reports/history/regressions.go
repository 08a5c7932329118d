package history

import (
	"fmt"
	"slices"

	"github.com/perftrack/perftrack/compare/steps"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/runner/record"
)

// Regressions lists the unresolved regressions (neither accepted nor undone), in the given order. A
// series with too few runs to find a step may have further regressions.
func Regressions(all steps.Regressions) reports.Report {
	t := reports.Table{Columns: []reports.Column{
		{Title: "date", Extra: true, Rank: 1}, {Title: "benchmark", Code: true}, {Title: "unit", Code: true}, {Title: "change", Right: true, Brief: "intervals of change"},
		{Title: "now", Right: true, Extra: true, Rank: 2}, {Title: "by", Wraps: true}, {Title: "after commit", Code: true}, {Title: "up to commit", Code: true, Hash: true, Blame: true}, {Title: "found by bisection", Code: true},
		{Title: "branch", Code: true, Extra: true, Rank: 3}, {Title: "environment", Code: true, Extra: true, Rank: 3},
	}}
	for _, r := range all.List {
		size := stepCell(r.Tidied, r.Step.Shift)
		size.Tone = reports.Bad
		t.Rows = append(t.Rows, []reports.Cell{
			{Text: dates(r)}, {Text: reports.BenchmarkName(r.Target, r.BenchmarkID)}, {Text: r.Tidied}, size, {Text: relative(r.Step.Now)},
			{Text: driftText(r.Step)}, {Text: reports.HashOrDash(r.Step.Last.Commit)}, {Text: reports.HashOrDash(r.Step.First.Commit)}, {Text: shortOrEmpty(r.Step.Found.Commit)}, {Text: r.Branch}, {Text: r.Environment},
		})
	}
	if t.Empty(8) {
		t = t.Without(8)
	}
	if t.Empty(5) {
		t = t.Without(5)
	}
	r := reports.Report{
		Title: "Unresolved regressions", Tables: []reports.Table{t},
		Kind:     "regressions",
		Document: func() reports.Object { return regressionsDocument(all) },
		Records:  func() [][]any { return regressionRecords(all) },
	}
	if len(all.List) == 0 {
		r.Tables = nil
	}
	r.Summary, r.Tone = regressionSummary(all)
	if n := len(all.Unseen()); n > 0 {
		r.Summary, r.Tone = reports.Plural(n, "benchmark")+" proved to have regressed, without a step yet; "+r.Summary, reports.Bad
	}
	r.Remarks = append(provedNotes(all), searchRemarks(all)...)
	addAnchor(&r, all.Anchor)
	return r
}

// dates returns the date of a step, or the first and the last date of a drift.
func dates(r steps.Regression) string {
	since, when := reports.Day(r.Since), reports.Day(r.When)
	if r.Step.Drift == 0 || since == "" || since == when {
		return when
	}
	return since + " to " + when
}

// shortLines counts series with too few runs to find a step. needs is the number of runs that all
// of them need; least and most are the smallest and the largest number of runs they have.
type shortLines struct{ lines, least, most, needs int }

// tooShort groups the series that have too few runs to find a step by the number of runs that they
// need.
func tooShort(lines []steps.LineLength) (short []shortLines) {
	for _, l := range lines {
		if l.Enough {
			continue
		}
		i := slices.IndexFunc(short, func(s shortLines) bool { return s.needs == l.Needs })
		if i < 0 {
			i = len(short)
			short = append(short, shortLines{0, l.Runs, l.Runs, l.Needs})
		}
		s := &short[i]
		s.lines, s.least, s.most = s.lines+1, min(s.least, l.Runs), max(s.most, l.Runs)
	}
	return short
}

// regressionSummary summarizes the unresolved regressions in one line and returns its tone.
func regressionSummary(all steps.Regressions) (string, reports.Tone) {
	short := 0
	for _, s := range tooShort(all.Lines) {
		short += s.lines
	}
	enough := len(all.Lines) - short
	others := ""
	if short > 0 {
		others = fmt.Sprintf("; %d series with too few runs to tell", short)
	}
	switch {
	case len(all.List) > 0:
		return unresolvedWords(all.List) + others, reports.Bad
	case len(all.Lines) == 0:
		return "there are no runs to search for unresolved regressions", reports.Warn
	case enough == 0:
		return fmt.Sprintf("unknown whether there is an unresolved regression: %d series with too few runs to tell", short), reports.Warn
	case all.Older > 0:
		return fmt.Sprintf("no unresolved regression since then in %d series, but %d earlier", enough, all.Older) + others, reports.Warn
	case short > 0:
		return fmt.Sprintf("no unresolved regression in %d series", enough) + others, reports.Warn
	}
	return fmt.Sprintf("no unresolved regression in %d series", enough), reports.Good
}

// unresolvedWords counts the regressions and, if some of them belong to the same benchmark, also the
// benchmarks.
func unresolvedWords(list []steps.Regression) string {
	type series struct {
		target string
		record.BenchmarkID
	}
	found := map[series]bool{}
	for _, r := range list {
		found[series{r.Target, r.BenchmarkID}] = true
	}
	if len(found) == len(list) {
		return reports.Plural(len(list), "unresolved regression")
	}
	return fmt.Sprintf("%s with %d unresolved regressions", reports.Plural(len(found), "benchmark"), len(list))
}

// searchRemarks explains what the search for regressions left out and how to include it.
func searchRemarks(all steps.Regressions) (notes []reports.Note) {
	if all.Older > 0 {
		notes = append(notes, reports.Note{Text: reports.Plural(all.Older, "unresolved regression") + " from before --since " + are(all.Older) + " not shown: remove --since to list all"})
	}
	short := tooShort(all.Lines)
	for _, g := range short {
		have := reports.Plural(g.most, "run")
		if g.least < g.most {
			have = fmt.Sprintf("%d to %d runs", g.least, g.most)
		}
		text := fmt.Sprintf("%d series with %s: finding a step takes %d runs at different commits, %d before and %d after it", g.lines, have, g.needs, g.needs/2, g.needs/2)
		notes = append(notes, reports.Note{Text: text})
	}
	if len(short) > 0 && all.Trial[1] != "" && len(all.Unseen()) == 0 {
		notes = append(notes, reports.Note{Text: "a change proved by a trial is not yet a step in a history; show the newest trial with",
			Detail: fmt.Sprintf("perftrack compare %s %s", record.ShortHash(all.Trial[0]), record.ShortHash(all.Trial[1]))})
	}
	if all.Hidden > 0 {
		notes = append(notes, reports.Note{Text: reports.Plural(all.Hidden, "run") + " left out: partial, failed or with uncommitted changes"})
	}
	return notes
}

func are(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}
