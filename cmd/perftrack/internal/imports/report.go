package imports

import (
	"fmt"
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/listing"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/runner/record"
)

// Summary summarizes an import in one line.
func (o *Outcome) Summary() string {
	added, deleted := 0, 0
	for _, d := range o.Runs {
		switch {
		case d.Added:
			added++
		case d.Deleted != nil:
			deleted++
		}
	}
	text := fmt.Sprintf("%d added, %d already present", added, len(o.Runs)-added-deleted)
	if deleted > 0 {
		text += fmt.Sprintf(", %d deleted earlier", deleted)
	}
	if commits := o.commits(); commits != "" {
		text += "; " + commits + ", " + reports.Plural(o.Benchmarks, "benchmark")
	}
	return text
}

// commits describes the commits of the runs, or returns "" if there are fewer than two.
func (o *Outcome) commits() string {
	all := map[string]bool{}
	var first, last record.Commit
	for _, r := range o.Runs {
		c := r.Commit
		if c.SHA == "" {
			continue
		}
		all[c.SHA] = true
		if c.Time.IsZero() {
			continue
		}
		if first.SHA == "" || c.Time.Before(first.Time) {
			first = c
		}
		if last.SHA == "" || c.Time.After(last.Time) {
			last = c
		}
	}
	if len(all) < 2 {
		return ""
	}
	text := reports.Plural(len(all), "commit")
	if first.SHA == last.SHA {
		return text
	}
	return fmt.Sprintf("%s from %s of %s to %s of %s", text, record.ShortHash(first.SHA), first.Time.UTC().Format(time.DateOnly),
		record.ShortHash(last.SHA), last.Time.UTC().Format(time.DateOnly))
}

// maxListed is the number of runs that people may want to read about one by one.
const maxListed = 40

// brief drops the rows of runs that were stored or present, if there are many, and returns their number.
// The documents for programs keep them.
func (o *Outcome) brief(r *reports.Report) (hidden int) {
	if len(o.Runs) <= maxListed {
		return 0
	}
	table := r.Tables[0]
	table.Rows = nil
	for i, row := range r.Tables[0].Rows {
		if o.Runs[i].Deleted != nil {
			table.Rows = append(table.Rows, row)
		}
	}
	r.Tables = nil
	if len(table.Rows) > 0 {
		r.Tables = []reports.Table{table}
	}
	return len(o.Runs) - len(table.Rows)
}

// Report lists imported results.
func (o *Outcome) Report() reports.Report {
	t := listing.New("imported", "file", "run", "target", "commit", "#benchmarks", "#rounds", "stored")
	t.Extra("rounds", "benchmarks", "target")
	for _, d := range o.Runs {
		state := "already present"
		switch {
		case d.Added:
			state = "added"
		case d.Deleted != nil:
			state = "deleted " + d.Deleted.Time.Format(time.DateOnly)
		}
		t.Add(d.File, listing.ID(d.ID), d.Target, listing.Commit(d.Commit), d.Benchmarks, d.Rounds, state)
	}
	r := t.Report()
	if hidden := o.brief(&r); hidden > 0 {
		r.Remarks = append(r.Remarks, reports.Note{Text: fmt.Sprintf("not listed: %s added or already present; --format json or csv lists all", reports.Plural(hidden, "run"))})
	}
	r.Summary = o.Summary()
	table := r.Document
	r.Document = func() reports.Object {
		return append(table(), [2]any{"left_out", reports.Optional(reports.Objects(&o.Left, func(l *LeftOut) reports.Object {
			return reports.Object{
				{"reason", l.Reason},
				{"count", l.Count},
				{"first", reports.Optional(l.First)}, // file:line (name)
			}
		}))})
	}
	return r
}
