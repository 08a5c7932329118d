package runner

import (
	"context"
	"regexp"
	"strings"

	"github.com/perftrack/perftrack/runner/proc"
)

// engineProgram is the built-in engine: perftrack's own binary runs itself, so
// there is nothing to build and no revision to choose.
type engineProgram struct {
	plan *Plan
	dir  string
}

func (e *engineProgram) slots(ctx context.Context) ([]Slot, error) {
	pat, err := parsePattern(e.plan.Bench)
	if err != nil {
		return nil, err
	}
	argv := append(append([]string{}, e.plan.Engine...), "-list")
	if e.plan.Suite != "" {
		argv = append(argv, "-suite", e.plan.Suite)
	}
	out, err := buildStep(ctx, "the built-in engine", proc.Command{Argv: argv, Dir: e.dir})
	if err != nil {
		return nil, err
	}
	var slots []Slot
	for name := range strings.FieldsSeq(string(out)) {
		if _, ok := pat.forFunction(name); ok {
			slots = append(slots, Slot{Bench: name})
		}
	}
	if len(slots) == 0 {
		return nil, &NoBenchmarksError{"the built-in engine" + e.plan.filterText()}
	}
	return slots, nil
}

func (e *engineProgram) link(context.Context, uint64) error { return nil }

func (e *engineProgram) command(s Slot) proc.Command {
	argv := append(append([]string{}, e.plan.Engine...),
		"-bench", "^"+regexp.QuoteMeta(s.Bench)+"$", "-benchtime", e.plan.Benchtime)
	return proc.Command{Argv: argv, Dir: e.dir}
}

func (e *engineProgram) environment(context.Context) (Settings, error) {
	return append(ownToolchain(), Setting{"layout", "default"}), nil
}

func (e *engineProgram) format() string { return "gobench" }
func (e *engineProgram) rotates() bool  { return false }
func (e *engineProgram) close() error   { return nil }
