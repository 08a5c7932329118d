package notify

import (
	"fmt"
	"math"
	"regexp"
	"strings"

	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/runner/record"
)

// A quote shows names from outside, and commands with such names in them.
type quote struct{ name, command func(string) string }

// The quotes: of logs and programs, and of Markdown.
var (
	plainly  = quote{plain, reports.Message}
	markdown = quote{reports.CodeSpan, commandSpan}
)

// plain is for logs and for programs: one line, and nothing that moves a cursor.
func plain(name string) string { return reports.Message(record.OneLine(name)) }

// commandSpan shows a command in Markdown, as it is to be typed: whole, and with its
// backticks, which the span has more of.
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

// sentence says one event.
func (e Event) sentence(q quote) string {
	if s, ok := e.alarm(q); ok {
		return s
	}
	name := q.name(reports.BenchmarkName(e.Target, e.id())) + " " + q.name(e.Unit)
	if e.Environment != "" { // which perftrack history --env takes
		name += " in environment " + q.name(e.Environment)
	}
	switch e.Kind {
	case New:
		return fmt.Sprintf("%s is %s than before: %s, since %s", name, worseBy(e.From, e.To), e.values(), e.place(q))
	case Worse:
		return fmt.Sprintf("%s is %s than it was told before: %s, since %s", name, worseBy(e.From, e.To), e.values(), e.place(q))
	case Accepted:
		return fmt.Sprintf("%s stays at %s: what came in up to %s was accepted", name, e.show(e.To), q.name(short(e.UpTo)))
	}
	return fmt.Sprintf("%s recovered: %s", name, e.values())
}

// worseBy says how far two values lie apart: "12.0 % slower", whichever way is worse.
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

// place names the commits that may have made a step, and the command that finds the one, or
// says why it is the one.
func (e Event) place(q quote) string {
	after, upTo := short(e.After), short(e.UpTo)
	bench := argument(e.Benchmark)
	if e.Unit != "sec/op" {
		bench += " --unit " + argument(e.Stored)
	}
	if e.Drift > 0 {
		return fmt.Sprintf("little by little over %d runs, from %s up to %s; measure both together: %s", e.Drift, q.name(after), q.name(upTo),
			q.command(fmt.Sprintf("perftrack run --rev %s --against %s", upTo, after)))
	}
	switch {
	case e.After == "" || e.UpTo == "":
		return "a run of no known commit"
	case e.Commits == 1:
		return fmt.Sprintf("commit %s; to see why: %s", q.name(upTo), q.command(fmt.Sprintf("perftrack explain %s %s --bench %s", after, upTo, argument(e.Benchmark))))
	}
	many := "the commits"
	if e.Commits > 1 {
		many = fmt.Sprintf("the %d commits", e.Commits)
	}
	return fmt.Sprintf("%s after %s up to %s; to find the one: %s", many, q.name(after), q.name(upTo),
		q.command(fmt.Sprintf("perftrack bisect-helper auto %s..%s --bench %s", after, upTo, bench)))
}

var harmless = regexp.MustCompile(`^[A-Za-z0-9_./=,:+-]+$`)

// argument is a name as a shell takes it for one word.
func argument(name string) string {
	if harmless.MatchString(name) {
		return name
	}
	return "'" + strings.ReplaceAll(record.OneLine(name), "'", `'\''`) + "'"
}

func short(sha string) string { return record.ShortHash(sha) }
