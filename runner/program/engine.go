package program

import (
	"cmp"
	"context"
	"regexp"
	"strings"

	"github.com/perftrack/perftrack/runner/build"
	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/machine"
	"github.com/perftrack/perftrack/runner/naming"
	"github.com/perftrack/perftrack/runner/proc"
	"github.com/perftrack/perftrack/runner/record"
)

// engineProgram is the built-in engine. perftrack runs its own binary, so nothing is built and
// there is no choice of revision.
type engineProgram struct {
	plan *Spec
	dir  string
}

func (e *engineProgram) Slots(ctx context.Context) ([]Slot, error) {
	if e.plan.Profile != "" {
		return []Slot{{Package: "the built-in engine"}}, nil
	}
	pat, err := naming.ParsePattern(e.plan.Bench)
	if err != nil {
		return nil, err
	}
	argv := append(append([]string{}, e.plan.Engine...), "-list", "-suite", e.suite())
	out, err := build.Step(ctx, "the built-in engine", proc.Command{Argv: argv, Dir: e.dir, Env: e.plan.ChildEnvironment(), Box: e.plan.box(e.dir)})
	if err != nil {
		return nil, err
	}
	var slots []Slot
	names := strings.Fields(string(out))
	for _, name := range names {
		if pat.Matches(name) || pat.Matches(record.WithProcs(name, e.plan.Threads(Slot{}))) {
			slots = append(slots, Slot{Bench: name})
		}
	}
	if len(slots) == 0 {
		return nil, &NoBenchmarksError{"the built-in engine" + e.plan.FilterText() + pat.Nearest(names)}
	}
	return slots, nil
}

func (e *engineProgram) Lacking(uint64, []Slot) []LinkJob { return nil }
func (e *engineProgram) Use(uint64, []Slot) error         { return nil }

// suite returns the plan's suite. By default it is the first suite, because the other suites
// measure parts of the same code.
func (e *engineProgram) suite() string { return cmp.Or(e.plan.Suite, firstSuite) }

// firstSuite is the engine's suite with all of its kernels and models.
const firstSuite = "enhanced"

func (e *engineProgram) Command(s Slot) proc.Command {
	if suite := e.plan.Profile; suite != "" {
		if suite == DefaultSuite {
			suite = firstSuite
		}
		return proc.Command{Argv: append(append([]string{}, e.plan.Engine...), "-profile", suite), Dir: e.dir, Box: e.plan.box(e.dir)}
	}
	argv := append(append([]string{}, e.plan.Engine...), "-suite", e.suite(),
		"-bench", "^"+regexp.QuoteMeta(s.Bench)+"$", "-benchtime", e.plan.Benchtime)
	return proc.Command{Argv: argv, Dir: e.dir, Box: e.plan.box(e.dir)}
}

func (e *engineProgram) Environment(context.Context) (record.Settings, error) {
	return append(machine.Toolchain(), record.Setting{Key: record.KeyLayout, Value: config.LayoutDefault}), nil
}

func (e *engineProgram) Format() string { return "gobench" }
func (e *engineProgram) Rotates() bool  { return false }
func (e *engineProgram) Close() error   { return nil }
