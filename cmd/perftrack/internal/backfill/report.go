package backfill

import (
	"fmt"
	"strings"
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/listing"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/runner/record"
)

// Report lists the outcome for each chosen commit. The text and Markdown formats omit commits not
// reached.
func Report(res Result, format string) reports.Report {
	l := listing.New("backfill", "commit", "date", "target", "state", "detail", "#seconds")
	l.Extra("seconds", "date", "target")
	l.Wraps("state", "detail")
	for _, s := range res.Steps {
		if s.State == NotReached && s.Detail == "" && (format == "text" || format == "markdown") {
			continue
		}
		seconds := listing.Brief("", "")
		if s.Took > 0 {
			seconds = listing.Brief(fmt.Sprintf("%.1f", s.Took.Seconds()), s.Took.Seconds())
		}
		date := listing.Brief(reports.Day(s.Commit.Time), s.Commit.Time.UTC().Format(time.RFC3339))
		l.Add(listing.Brief(record.ShortHash(s.Commit.SHA), s.Commit.SHA), date, s.Target, string(s.State), s.Detail, seconds)
	}
	r := l.Report()
	r.Facts = []reports.Fact{{Key: "range", Value: fmt.Sprintf("%s (%s)", res.Range, reports.Plural(res.Line, "commit"))}, {Key: "anchor", Value: record.ShortHash(res.Anchor.SHA)}}
	var parts []string
	for _, state := range []State{Measured, CarriedOver, Already, Failed, PassedOver, NotReached} {
		if n := res.Count(state); n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, state))
		}
	}
	r.Summary = strings.Join(parts, ", ")
	if res.Count(Failed) > 0 {
		r.Remarks = append(r.Remarks, reports.Note{Text: "perftrack history --all shows the other benchmarks at failed commits"})
	}
	if res.Stopped {
		r.Remarks = append(r.Remarks, reports.Note{Text: "the budget ran out: run the same command to continue"})
	}
	if res.Count(Measured)+res.Count(CarriedOver)+res.Count(Already) > 0 {
		r.Remarks = append(r.Remarks, reports.Note{Text: "see it with perftrack history --anchor " + record.ShortHash(res.Anchor.SHA) + " NAME, or without --anchor as measured"})
	}
	return r
}
