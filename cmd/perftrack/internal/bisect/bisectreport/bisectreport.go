// Package bisectreport describes bisections to people and programs.
package bisectreport

import (
	"fmt"
	"strings"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/bisect"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/listing"
	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/runner/record"
)

// Of returns a report on a search. JSON and CSV list all commits in the 95 % set, at least three,
// with more columns. For an unfinished search, text and Markdown show the spans between measured
// commits instead.
func Of(res *bisect.Result, format string) reports.Report {
	t := suspectRows(res, format == "json" || format == "csv")
	if !res.Found && format != "json" && format != "csv" && len(res.Spans) > 0 {
		t = spanRows(res.Spans)
	}
	r := t.Report()
	if format != "json" && format != "csv" {
		r.Tables[0] = r.Tables[0].WithoutEmpty(0)
		r.Remarks = append(r.Remarks, suspectWords(r.Tables[0])...)
	}
	r.Facts = append(r.Facts, reports.Fact{Key: "benchmark", Value: res.Subject + " (" + res.Unit + ")"},
		reports.Fact{Key: "between", Value: record.ShortHash(res.Good.SHA) + " and " + record.ShortHash(res.Bad.SHA)})
	if res.Ends != nil {
		r.Facts = append(r.Facts, reports.Fact{Key: "ends", Value: string(res.Ends.Verdict) + " " + changeText(*res.Ends)})
	}
	r.Facts = append(r.Facts, reports.Fact{Key: "measured", Value: fmt.Sprintf("%d pairs, %d commits", res.Pairs, res.Measured)})
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
	r.Summary, r.Tone = summary(res)
	return r
}

// suspectWords returns notes on two columns, if the table has them.
func suspectWords(t reports.Table) (notes []reports.Note) {
	for _, c := range t.Columns {
		switch c.Title {
		case "may be it":
			notes = append(notes, reports.Note{Text: "may be it: the culprit is one of the commits marked yes with a probability of 95 %"})
		case "or one of":
			notes = append(notes, reports.Note{Text: "or one of: earlier commits that cannot be measured and may also be the culprit"})
		}
	}
	return notes
}

func suspectRows(res *bisect.Result, programs bool) *listing.Listing {
	columns := []string{"commit", "#probability", "may be it", "date", "author", "subject", "or one of", "files"}
	if programs {
		columns[2], columns[6] = "95% set", "not told from"
		columns = append(columns, "against", "confirmed", "#change", "#change lo", "#change hi", "over", "reproduce")
	}
	t := listing.New("bisection", columns...)
	t.Extra(columns[2], "author", columns[6], "date", "files")
	t.Wraps("subject", columns[6], "files")
	for i, s := range res.Suspects {
		if i >= 3 && !s.Credible {
			break
		}
		var with []string
		for _, c := range s.With {
			with = append(with, record.ShortHash(c.SHA))
		}
		row := []any{listing.Brief(record.ShortHash(s.SHA), s.SHA), listing.Brief(percent(s.P), s.P), cond(s.Credible, "yes", "no"), listing.Brief(s.Time.UTC().Format("2006-01-02"), s.Time.UTC().Format("2006-01-02T15:04:05Z")),
			s.Author, s.Subject, strings.Join(with, " "), listing.Brief(fault.SomeOf(s.Files, " "), strings.Join(s.Files, " "))}
		if programs {
			row = append(row, s.Before.SHA)
			row = append(row, confirmation(res, i)...)
		}
		t.Add(row...)
	}
	return t
}

// shownSpans is the number of spans shown for an unfinished search.
const shownSpans = 5

// spanRows lists the spans between measured commits.
func spanRows(spans []bisect.Span) *listing.Listing {
	t := listing.New("bisection", "commits", "#number", "#probability", "the last of them")
	t.Wraps("the last of them")
	for _, s := range spans[:min(shownSpans, len(spans))] {
		t.Add(record.ShortHash(s.After.SHA)+".."+record.ShortHash(s.Last.SHA), s.Commits, percent(s.P), s.Last.Subject)
	}
	if more := spans[min(shownSpans, len(spans)):]; len(more) > 0 {
		n, p := 0, 0.0
		for _, s := range more {
			n, p = n+s.Commits, p+s.P
		}
		t.Add(fmt.Sprintf("(%d others)", len(more)), n, percent(p), "")
	}
	return t
}

// confirmation describes how the first suspect differs from the commit before it. Other suspects
// have no confirmation.
func confirmation(res *bisect.Result, rank int) []any {
	over := cond(res.Found, "yes", "no")
	if rank > 0 || res.Confirmed == nil {
		return []any{"", "", "", "", over, cond(rank == 0, res.Reproduce, "")}
	}
	d := res.Confirmed
	return []any{string(d.Verdict), d.Shift.Center, d.Shift.Lo, d.Shift.Hi, over, res.Reproduce}
}

func summary(res *bisect.Result) (string, reports.Tone) {
	switch {
	case res.Refused:
		return "the ends do not differ, so there is nothing to search: measure them with other settings, or run `perftrack bisect-helper reset`", reports.Warn
	case len(res.Suspects) == 0:
		return "no difference between the ends so far", reports.Warn
	}
	first := res.Suspects[0]
	name := record.ShortHash(first.SHA)
	against := "the commit before it"
	if n := len(first.With); n > 0 { // a skipped commit looks like the next measurable one
		name += cond(n == 1, ", or the commit before it, which cannot be measured,", fmt.Sprintf(", or one of the %d commits before it, which cannot be measured,", n))
		against = record.ShortHash(first.Before.SHA) + ", the last measurable commit"
	}
	switch {
	case !res.Found && first.P <= 0.5 && len(res.Spans) > 0 && res.Spans[0].Commits > 1:
		s := res.Spans[0]
		return fmt.Sprintf("search not finished: the culprit is most likely one of the %d commits %s..%s, %s", s.Commits, record.ShortHash(s.After.SHA), record.ShortHash(s.Last.SHA), percent(s.P)), reports.Warn
	case !res.Found:
		return fmt.Sprintf("search not finished: the most likely culprit so far is %s, %s", record.ShortHash(first.SHA), percent(first.P)), reports.Warn
	case res.IsConfirmed() && res.Ends.Verdict == compare.Improved:
		return fmt.Sprintf("%s is the first improved commit (%s), confirmed against %s", name, percent(first.P), against), reports.Good
	case res.IsConfirmed():
		return fmt.Sprintf("%s is the first regressed commit (%s), confirmed against %s", name, percent(first.P), against), reports.Bad
	}
	return fmt.Sprintf("%s is the most likely culprit (%s), but it does not differ clearly from %s", name, percent(first.P), against), reports.Warn
}

// percent formats p as a percentage. It never rounds up to 100 %.
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

// Step returns the exit code and the text of a step of git bisect.
func Step(a bisect.Answer) (code int, text string) {
	word := "good"
	switch {
	case a.Skip:
		code, word = bisect.ExitSkipped, "skipped"
	case a.Bad:
		code, word = bisect.ExitBad, "bad"
	}
	text = fmt.Sprintf("%s is %s", record.ShortHash(a.Commit.SHA), word)
	if !a.Skip && a.Pairs > 0 {
		text += fmt.Sprintf(" (%s; bad with probability %s)", reports.Plural(a.Pairs, "pair"), percent(a.P))
	}
	if a.Reason != "" {
		text += ": " + bisect.SkipReason(a.Reason)
	}
	return code, text
}

// Log lists the events of a search.
func Log(events []bisect.Event) reports.Report {
	t := listing.New("bisection log", "time", "event", "commit", "against", "#round", "#against value", "#value", "#p", "reason")
	t.Extra("p", "round", "reason", "time")
	t.Wraps("reason")
	unit := ""
	for _, e := range events {
		if e.Subject != nil {
			unit = e.Subject.Unit
		}
		commit, against := e.Commit, e.Base
		if commit == "" {
			commit = e.Head
		}
		if e.Bad != "" {
			commit, against = e.Bad, e.Good
		}
		row := []any{listing.Brief(e.Time.Format("01-02 15:04:05"), e.Time.Format("2006-01-02T15:04:05Z")), e.Event, listing.Brief(record.ShortHash(commit), commit), listing.Brief(record.ShortHash(against), against), "", "", "", "", e.Reason}
		if e.Values != nil {
			row[4], row[5], row[6] = e.Round, valueCell(e.Values[0], unit), valueCell(e.Values[1], unit)
		}
		if e.P > 0 {
			row[7] = listing.Brief(fmt.Sprintf("%.4f", e.P), e.P)
		}
		t.Add(row...)
	}
	return t.Report()
}

// valueCell shows a measured value with its unit; programs get the number.
func valueCell(x float64, unit string) listing.Cell {
	return listing.Brief(reports.Measured(unit, x), x)
}
