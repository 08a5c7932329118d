package imports

import (
	"fmt"
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/listing"
	"github.com/perftrack/perftrack/reports"
)

// HistorySummary summarizes the import of a history in one line.
func HistorySummary(done []Result) string {
	added, deleted := 0, 0
	for _, d := range done {
		switch {
		case d.Added:
			added++
		case d.Deleted != nil:
			deleted++
		}
	}
	text := fmt.Sprintf("%d added, %d already present", added, len(done)-added-deleted)
	if deleted > 0 {
		text += fmt.Sprintf(", %d deleted earlier", deleted)
	}
	return text
}

// Report lists imported results.
func Report(done []Result) reports.Report {
	t := listing.New("imported", "file", "run", "target", "commit", "#benchmarks", "#rounds", "stored")
	t.Extra("rounds", "benchmarks", "target")
	for _, d := range done {
		state := "already present"
		switch {
		case d.Added:
			state = "added"
		case d.Deleted != nil:
			state = "deleted " + d.Deleted.Time.Format(time.DateOnly)
		}
		t.Add(d.File, listing.ID(d.ID), d.Target, listing.Commit(d.Commit), d.Benchmarks, d.Rounds, state)
	}
	return t.Report()
}
