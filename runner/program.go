package runner

import (
	"context"
	"fmt"

	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/proc"
	"github.com/perftrack/perftrack/runner/record"
)

// A program is a target built from one side's source.
type program interface {
	// slots lists the program's benchmarks in a fixed order.
	slots(ctx context.Context) ([]Slot, error)
	// lacking returns the jobs that must run before the slots can be measured with the layout seed.
	// It returns nil for kinds of targets that cannot choose a layout.
	lacking(seed uint64, slots []Slot) []linkJob
	// use prepares the slots for a round with the seed. All jobs that lacking returns for them must
	// have run.
	use(seed uint64, slots []Slot) error
	// command returns the command that measures the slot once.
	command(s Slot) proc.Command
	// environment returns the settings specific to the kind of target: toolchain, build flags and
	// layout mode.
	environment(ctx context.Context) (record.Settings, error)
	// format returns the name of the program's output format.
	format() string
	// rotates reports whether each round has a different layout.
	rotates() bool
	// close removes everything that was built.
	close() error
}

// open builds the plan's target for one side.
func (p *Plan) open(ctx context.Context, side Side) (program, error) {
	if p.Isolate {
		if err := proc.Boxable(ctx); err != nil {
			return nil, err
		}
	}
	switch p.Target.Kind {
	case config.GoTest:
		return openGotest(ctx, p, side)
	case config.Command:
		return openCommand(ctx, p, side)
	case config.Engine:
		return &engineProgram{plan: p, dir: side.Dir}, nil
	}
	return nil, fmt.Errorf("target %s: unknown kind %q", p.Target.Name, p.Target.Kind)
}

// A NoBenchmarksError means no benchmark in a target was selected.
type NoBenchmarksError struct{ What string }

func (e *NoBenchmarksError) Error() string {
	return "no benchmarks in " + e.What
}

// A NoScopesError means that a target has no profiles, or none for the requested suite.
type NoScopesError struct{ Target, Suite string }

func (e *NoScopesError) Error() string {
	if e.Suite == DefaultSuite {
		return fmt.Sprintf("target %s printed no scopes: your program must print them if %s is set (see perftrack help profile scopes-of-your-own-program)", e.Target, ProfileVariable)
	}
	return fmt.Sprintf("target %s printed no scopes for %s=%s: it has no such suite or does not print profiles (see perftrack help profile scopes-of-your-own-program)", e.Target, ProfileVariable, e.Suite)
}
