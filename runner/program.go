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
	// slots lists what can be run, in a fixed order.
	slots(ctx context.Context) ([]Slot, error)
	// lacking returns what has to be linked before the slots can be measured with the
	// given layout seed; of kinds whose layout cannot be chosen, nothing.
	lacking(seed uint64, slots []Slot) []linkJob
	// use makes the slots ready for a round with the seed. Nothing lacks.
	use(seed uint64, slots []Slot) error
	// command returns the process that measures the slot once.
	command(s Slot) proc.Command
	// environment returns the facts that only the target's kind knows:
	// toolchain, build flags, layout mode.
	environment(ctx context.Context) (record.Settings, error)
	// format names the reader of its output.
	format() string
	// rotates reports whether the program gets another layout each round.
	rotates() bool
	// close removes what was built.
	close() error
}

// open builds the plan's target at one side.
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

// A NoBenchmarksError is a target in which nothing matches.
type NoBenchmarksError struct{ What string }

func (e *NoBenchmarksError) Error() string {
	return "no benchmarks in " + e.What
}

// A NoScopesError is a target that knows nothing of profiles, or not this suite.
type NoScopesError struct{ Target, Suite string }

func (e *NoScopesError) Error() string {
	if e.Suite == DefaultSuite {
		return fmt.Sprintf("target %s printed no scopes: a program has to print them where %s is set (see perftrack help profile scopes-of-your-own-program)", e.Target, ProfileVariable)
	}
	return fmt.Sprintf("target %s printed no scopes for %s=%s: it has no such suite, or knows nothing of profiles (see perftrack help profile scopes-of-your-own-program)", e.Target, ProfileVariable, e.Suite)
}
