package listing

import (
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/runner/format"
)

// Formats lists the formats that can be read.
func Formats() reports.Report {
	l := New("formats", "format", "results", "detected", "description", "written by")
	for _, f := range format.Listed() {
		detected := "yes"
		if f.Forced {
			detected = "no"
		}
		l.Add(f.Name, string(f.Yields), detected, f.Description, f.Tool)
	}
	l.Prose("results", "detected", "description", "written by")
	l.Wraps("description", "written by")
	l.Extra("detected", "written by")
	return l.Report()
}
