package main

import (
	"fmt"
	"strings"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/bisect"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/runner/record"
)

// bisectReport is what a search found out. Programs get all commits of the 95 % set, and at
// least the first three, and in columns what people read above the table. People see in
// short of a search that is not over where the culprit may be.
func bisectReport(res *bisect.Result, format string) reports.Report {
	t := suspectRows(res, format == "json" || format == "csv")
	if !res.Found && format != "json" && format != "csv" && len(res.Spans) > 0 {
		t = spanRows(res.Spans)
	}
	r := t.report()
	if format != "json" && format != "csv" {
		r.Tables[0] = r.Tables[0].WithoutEmpty(0)
		r.Remarks = append(r.Remarks, suspectWords(r.Tables[0])...)
	}
	r.Facts = append(r.Facts, reports.Fact{Key: "benchmark", Value: res.Subject + " (" + res.Unit + ")"},
		reports.Fact{Key: "between", Value: record.ShortHash(res.Good.SHA) + " and " + record.ShortHash(res.Bad.SHA)})
	if res.Ends != nil {
		r.Facts = append(r.Facts, reports.Fact{Key: "ends", Value: string(res.Ends.Verdict) + " " + changeText(*res.Ends)})
	}
	r.Facts = append(r.Facts, reports.Fact{Key: "measured", Value: fmt.Sprintf("%d pairs of %d commits", res.Pairs, res.Measured)})
	if res.Confirmed != nil {
		first := res.Suspects[0]
		r.Facts = append(r.Facts, reports.Fact{Key: "against the commit before", Value: fmt.Sprintf("%s %s (%s)", res.Confirmed.Verdict, changeText(*res.Confirmed), record.ShortHash(first.Before.SHA))})
	}
	if res.Reproduce != "" {
		r.Facts = append(r.Facts, reports.Fact{Key: "reproduce", Value: res.Reproduce})
	}
	for _, s := range res.Skipped {
		r.Remarks = append(r.Remarks, reports.Note{Text: "skipped", Detail: record.ShortHash(s.Commit) + ": " + bisect.SkipReason(s.Reason)})
	}
	r.Summary, r.Tone = bisectSummary(res)
	return r
}

// suspectWords say what two columns of the table mean, where people see them.
func suspectWords(t reports.Table) (notes []reports.Note) {
	for _, c := range t.Columns {
		switch c.Title {
		case "may be it":
			notes = append(notes, reports.Note{Text: "may be it: with 95 % probability the culprit is one of those that say yes"})
		case "or one of":
			notes = append(notes, reports.Note{Text: "or one of: commits before it that cannot be measured, so that each of them may be it as well"})
		}
	}
	return notes
}

func suspectRows(res *bisect.Result, programs bool) *listing {
	columns := []string{"commit", "#probability", "may be it", "date", "author", "subject", "or one of", "files"}
	if programs {
		columns[2], columns[6] = "95% set", "not told from"
		columns = append(columns, "against", "confirmed", "#change", "#change lo", "#change hi", "over", "reproduce")
	}
	t := newListing("bisection", columns...)
	t.extra(columns[2], "author", columns[6], "date", "files")
	t.wraps("subject", columns[6], "files")
	for i, s := range res.Suspects {
		if i >= 3 && !s.Credible {
			break
		}
		var with []string
		for _, c := range s.With {
			with = append(with, record.ShortHash(c.SHA))
		}
		row := []any{brief{record.ShortHash(s.SHA), s.SHA}, brief{percent(s.P), s.P}, cond(s.Credible, "yes", "no"), brief{s.Time.UTC().Format("2006-01-02"), s.Time.UTC().Format("2006-01-02T15:04:05Z")},
			s.Author, s.Subject, strings.Join(with, " "), brief{fault.SomeOf(s.Files, " "), strings.Join(s.Files, " ")}}
		if programs {
			row = append(row, s.Before.SHA)
			row = append(row, confirmation(res, i)...)
		}
		t.add(row...)
	}
	return t
}

// shownSpans are the parts of the line that are shown of a search that is not over.
const shownSpans = 5

// spanRows shows the parts of the line between commits that were measured.
func spanRows(spans []bisect.Span) *listing {
	t := newListing("bisection", "commits", "#number", "#probability", "the last of them")
	t.wraps("the last of them")
	for _, s := range spans[:min(shownSpans, len(spans))] {
		t.add(record.ShortHash(s.After.SHA)+".."+record.ShortHash(s.Last.SHA), s.Commits, percent(s.P), s.Last.Subject)
	}
	if more := spans[min(shownSpans, len(spans)):]; len(more) > 0 {
		n, p := 0, 0.0
		for _, s := range more {
			n, p = n+s.Commits, p+s.P
		}
		t.add(fmt.Sprintf("(%d others)", len(more)), n, percent(p), "")
	}
	return t
}

// confirmation is what is known of the first suspect beside the commit before it; of
// the others nothing is.
func confirmation(res *bisect.Result, rank int) []any {
	over := cond(res.Found, "yes", "no")
	if rank > 0 || res.Confirmed == nil {
		return []any{"", "", "", "", over, cond(rank == 0, res.Reproduce, "")}
	}
	d := res.Confirmed
	return []any{string(d.Verdict), d.Shift.Center, d.Shift.Lo, d.Shift.Hi, over, res.Reproduce}
}

func bisectSummary(res *bisect.Result) (string, reports.Tone) {
	switch {
	case res.Refused:
		return "the ends are not told apart, so that nothing is searched: measure them with other settings, or `perftrack bisect-helper reset`", reports.Warn
	case len(res.Suspects) == 0:
		return "the ends are not told apart yet", reports.Warn
	}
	first := res.Suspects[0]
	name := record.ShortHash(first.SHA)
	against := "the commit before it"
	if n := len(first.With); n > 0 { // what is skipped is not told from the next that can be measured
		name += cond(n == 1, ", or the commit before it, which cannot be measured,", fmt.Sprintf(", or one of the %d commits before it, which cannot be measured,", n))
		against = record.ShortHash(first.Before.SHA) + ", the last that can"
	}
	switch {
	case !res.Found && first.P <= 0.5 && len(res.Spans) > 0 && res.Spans[0].Commits > 1:
		s := res.Spans[0]
		return fmt.Sprintf("not over: it is most likely one of the %d commits %s..%s, %s", s.Commits, record.ShortHash(s.After.SHA), record.ShortHash(s.Last.SHA), percent(s.P)), reports.Warn
	case !res.Found:
		return fmt.Sprintf("not over: the likeliest culprit so far is %s, %s", record.ShortHash(first.SHA), percent(first.P)), reports.Warn
	case res.IsConfirmed() && res.Ends.Verdict == compare.Improved:
		return fmt.Sprintf("%s is the first improved commit (%s), confirmed against %s", name, percent(first.P), against), reports.Good
	case res.IsConfirmed():
		return fmt.Sprintf("%s is the first regressed commit (%s), confirmed against %s", name, percent(first.P), against), reports.Bad
	}
	return fmt.Sprintf("%s is the likeliest culprit (%s), but it does not differ clearly from %s", name, percent(first.P), against), reports.Warn
}

// percent never rounds up to certainty.
func percent(p float64) string {
	if p > 0.9999 {
		return ">99.99%"
	}
	return fmt.Sprintf("%.2f%%", 100*p)
}

func changeText(d compare.Decision) string {
	if d.Shift.Absolute || d.Exact && d.Shift.Lo == d.Shift.Hi {
		if d.Shift.Absolute {
			return fmt.Sprintf("%+.4g (exact)", d.Shift.Center)
		}
		return fmt.Sprintf("%+.2f%% (exact)", 100*d.Shift.Center)
	}
	return fmt.Sprintf("%s [%s, %s]", reports.Percent(d.Shift.Center), reports.Percent(d.Shift.Lo), reports.Percent(d.Shift.Hi))
}

func cond(c bool, yes, no string) string {
	if c {
		return yes
	}
	return no
}
