package notify

import (
	"fmt"
	"math"
	"strings"

	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/reports/shell"
	"github.com/perftrack/perftrack/runner/record"
)

// A quote formats names and commands from untrusted sources.
type quote struct{ name, command func(string) string }

// plainly is the quote for logs and programs, and markdown the one for Markdown.
var (
	plainly  = quote{plain, reports.Message}
	markdown = quote{reports.CodeSpan, commandSpan}
)

// plain formats a name for logs and programs, on one line and without control characters.
func plain(name string) string { return reports.Message(record.OneLine(name)) }

// commandSpan formats a command as a Markdown code span, enclosed in more backticks than there are
// in a row in the command.
func commandSpan(command string) string {
	fence := "`"
	for strings.Contains(command, fence) {
		fence += "`"
	}
	if len(fence) > 1 {
		return fence + " " + reports.Message(command) + " " + fence
	}
	return fence + reports.Message(command) + fence
}

// sentence describes an event in one sentence.
func (e Event) sentence(q quote) string {
	if s, ok := e.alarm(q); ok {
		return s
	}
	name := q.name(reports.BenchmarkName(e.Target, e.id())) + " " + q.name(e.Unit)
	if e.Environment != "" { // in the form accepted by perftrack history --env
		name += " in environment " + q.name(e.Environment)
	}
	switch e.Kind {
	case New:
		return fmt.Sprintf("%s is %s than before: %s, %s", name, worseBy(e.From, e.To), e.values(), e.place(q))
	case Worse:
		return fmt.Sprintf("%s is %s than last reported: %s, %s", name, worseBy(e.From, e.To), e.values(), e.place(q))
	case Accepted:
		return fmt.Sprintf("%s stays at %s, because the change in %s was accepted", name, e.show(e.To), q.name(short(e.UpTo)))
	}
	return fmt.Sprintf("%s recovered: %s", name, e.values())
}

// worseBy describes the distance between two values, as in "12.0 % worse", in either direction.
func worseBy(from, to float64) string {
	change := to/from - 1
	switch {
	case from == 0 || math.IsInf(change, 0) || math.IsNaN(change):
		return "worse"
	case change < 0:
		return reports.PlainChange(change) + " worse"
	}
	return strings.TrimPrefix(reports.PlainChange(change), "+") + " worse"
}

func (e Event) values() string { return e.show(e.From) + " to " + e.show(e.To) }

func (e Event) show(x float64) string { return reports.ScaleFor(e.Unit, x).Format(x) }

// place names the commits that may have caused a step, and a command to find or explain the cause.
func (e Event) place(q quote) string {
	after, upTo := short(e.After), short(e.UpTo)
	try := func(to, format string, args ...string) string {
		if command := shell.Command(format, args...); command != "" {
			return "; " + to + ": " + q.command(command)
		}
		return ""
	}
	if e.Drift > 0 {
		return fmt.Sprintf("gradually over %d runs, from %s to %s", e.Drift, q.name(after), q.name(upTo)) +
			try("measure both together", "perftrack run --rev %s --against %s", upTo, after)
	}
	switch {
	case e.After == "" || e.UpTo == "":
		return "since a run whose commit is unknown"
	case e.Commits == 1:
		return "since commit " + q.name(upTo) + try("to see why", "perftrack explain %s %s --bench %s", after, upTo, e.Benchmark)
	}
	many := "the commits"
	if e.Commits > 1 {
		many = fmt.Sprintf("the %d commits", e.Commits)
	}
	command, args := "perftrack bisect-helper auto %s..%s --bench %s", []string{after, upTo, e.Benchmark}
	if e.Unit != "sec/op" {
		command, args = command+" --unit %s", append(args, e.Stored)
	}
	return fmt.Sprintf("since %s after %s up to %s", many, q.name(after), q.name(upTo)) + try("to find the culprit", command, args...)
}

func short(sha string) string { return record.ShortHash(sha) }
