package history

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/perftrack/perftrack/compare/steps"
	"github.com/perftrack/perftrack/reports/shell"
	"github.com/perftrack/perftrack/runner/record"
)

// A StepRange holds the data for commands about a step of a benchmark in one unit, including the
// commits around the step.
type StepRange struct {
	Target string
	record.BenchmarkID
	Unit         string // as stored, such as ns/op
	After, UpTo  string
	Found        steps.Found // the commit found by a bisection; may be empty
	Commits      int         // number of commits after After and up to UpTo, or 0 if this repository lacks them
	Drift        int
	OneTarget    bool // the store has no other targets
	Opaque       bool // perftrack cannot profile the functions of the target
	DefaultUnits bool // Unit is the time, which commands measure by default
}

// AcceptCommand returns the command to accept a step, with an empty reason for the user to fill in.
// It returns "" if the commit of the step is unknown.
func (p StepRange) AcceptCommand() string {
	if p.UpTo == "" {
		return ""
	}
	name := p.Name
	if p.Package != "" {
		name = p.Package + "." + p.Name // unique even if another package has a benchmark with this name
	}
	commit := cmp.Or(p.Found.Commit, p.UpTo)
	if p.Commits > 0 || p.Found.Commit != "" {
		commit = record.ShortHash(commit)
	}
	command := "perftrack ci accept"
	if !strings.HasPrefix(name, "-") {
		command += " " + shell.Quote(name)
	}
	if !p.OneTarget {
		command += shell.Flag("target", p.Target)
	}
	command += shell.Flag("commit", commit) + ` --reason ""`
	if strings.HasPrefix(name, "-") {
		command += " -- " + shell.Quote(name)
	}
	return command
}

// FindCommand returns the command to find the cause of a step: bisect-helper for several commits,
// explain for a single commit, and for a drift, run for both of its ends. It returns "" if this
// repository lacks the commits, or if only explain is left for a target without functions.
func (p StepRange) FindCommand() string {
	if p.Opaque && (p.Found.Commit != "" || p.Drift == 0 && p.Commits == 1) {
		return ""
	}
	if p.Found.Commit != "" {
		return fmt.Sprintf("perftrack explain %s %s%s", record.ShortHash(p.Found.Before), record.ShortHash(p.Found.Commit), shell.Flag("bench", p.Name))
	}
	if p.UpTo == "" || p.After == "" || p.Commits == 0 {
		return ""
	}
	after, upTo := record.ShortHash(p.After), record.ShortHash(p.UpTo)
	flags := shell.Flag("bench", p.Name)
	switch {
	case p.Drift > 0:
		return "perftrack run" + p.target() + shell.Flag("rev", upTo) + shell.Flag("against", after) + flags
	case p.Commits == 1:
		return fmt.Sprintf("perftrack explain %s %s%s", after, upTo, flags)
	}
	if p.Package != "" {
		flags += shell.Flag("package", p.Package)
	}
	if !p.DefaultUnits {
		flags += shell.Flag("unit", p.Unit)
	}
	if !p.OneTarget {
		flags += shell.Flag("target", p.Target)
	}
	return fmt.Sprintf("perftrack bisect-helper auto %s..%s%s", after, upTo, flags)
}

func (p StepRange) target() string {
	if p.OneTarget || p.Target == "" {
		return ""
	}
	return " " + shell.Quote(p.Target)
}
