package listing

import (
	"slices"
	"strings"
	"time"

	"github.com/perftrack/perftrack/compare/anchors"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/store"
)

// Targets lists targets; path is their configuration file, or a text if they have no file.
func Targets(targets []config.Target, path string) reports.Report {
	t := New("targets", "target", "kind", "what", "configuration")
	t.Extra("configuration")
	t.Wraps("what")
	for _, target := range targets {
		what := strings.Join(target.Packages, " ")
		if target.Run != "" {
			what = target.Run
		}
		if target.Kind == config.Engine {
			what = "the built-in inference engine"
		}
		t.Add(target.Name, target.Kind, what, path)
	}
	return t.Report()
}

// Benchmarks lists stored benchmarks.
func Benchmarks(benchmarks []store.BenchmarkInfo) reports.Report {
	t := New("benchmarks", "benchmark", "target", "package", "suite", "units", "#runs")
	t.Extra("suite", "package", "units", "target")
	for _, b := range benchmarks {
		t.Add(b.Name, b.Target, b.Package, b.Suite, strings.Join(b.Units, " "), b.Runs)
	}
	return t.Report()
}

// Runs lists runs.
func Runs(runs []record.RunInfo) reports.Report {
	t := New("runs", "run", "target", "commit", "started", "status", "#benchmarks", "#rounds", "environment", "trial")
	t.Extra("environment", "rounds", "benchmarks", "target", "trial")
	for _, r := range runs {
		trial := r.Trial
		if r.Side != record.NoSide {
			trial += " " + SideName(&r.Run)
		}
		t.Add(ID(r.ID), r.Target, Commit(r.Commit), startText(&r.Run), string(r.Status), r.Benchmarks, r.Rounds, r.EnvironmentID, trial)
	}
	return t.Report()
}

// Trials lists trials, newest first. It reverses trials, given oldest first.
func Trials(trials []store.Trial) reports.Report {
	slices.Reverse(trials)
	t := New("trials", "trial", "targets", "base", "head", "started", "#runs")
	t.Extra("runs", "targets")
	for _, trial := range trials {
		t.Add(trialCells(trial)...)
	}
	return t.Report()
}

// Accepted lists acceptances.
func Accepted(all []record.Acceptance) reports.Report {
	l := New("accepted", "id", "target", "package", "benchmark", "commit", "time", "by", "reason")
	l.Extra("package", "target", "time", "by")
	l.Wraps("reason")
	for _, a := range all {
		l.Add(ID(a.ID()), a.Target, a.Package, a.Benchmark, Commit(record.Commit{SHA: a.Commit}), timeText(a.Time), a.Author, a.Reason)
	}
	return l.Report()
}

// SideName returns the side of a run in its trial, or "anchor".
func SideName(r *record.Run) string {
	if anchors.Is(r) {
		return "anchor"
	}
	return string(r.Side)
}

// Commit returns a cell for a commit, followed by +dirty if there were uncommitted changes.
func Commit(c record.Commit) Cell {
	if c.SHA == "" {
		return Brief("-", "")
	}
	text, value := record.ShortHash(c.SHA), c.SHA
	if c.Dirty {
		text, value = text+"+dirty", value+"+dirty"
	}
	return Brief(text, value)
}

func timeText(t time.Time) Cell {
	if t.IsZero() {
		return Brief("-", "")
	}
	return Brief(t.UTC().Format("2006-01-02 15:04"), t.UTC().Format(time.RFC3339))
}

// startText returns a cell for the time when a run began or, for an import without that time, when
// its report was written.
func startText(r *record.Run) Cell {
	if at, ok := r.Generated(); ok && r.Start.IsZero() {
		return timeText(at)
	}
	return timeText(r.Start)
}

// ID returns a cell for an id, shortened for people.
func ID(id string) Cell { return Brief(record.ShortHash(id), id) }

// trialCells returns the cells of a trial's row: id, targets, the commit of each side, start time
// and number of runs.
func trialCells(t store.Trial) []any {
	var targets []string
	sides := map[record.Side]Cell{record.Base: Commit(record.Commit{}), record.Head: Commit(record.Commit{})}
	for _, r := range t.Runs {
		if !slices.Contains(targets, r.Target) {
			targets = append(targets, r.Target)
		}
		sides[r.Side] = Commit(r.Commit)
	}
	return []any{t.ID, strings.Join(targets, " "), sides[record.Base], sides[record.Head], timeText(t.Runs[0].Start), len(t.Runs)}
}
