// Package program builds the target of one side and starts its benchmarks. Begin with program.go,
// where [Open] turns a [Spec] into a [Program]. The three kinds of programs are in gotest.go,
// command.go and engine.go. A command may write its results to files (results.go), and
// command_code.go tells whether its two sides are the same. A [Gotest] is linked with another layout
// for each round: linking.go repeats the link that the go command did, as recipe.go and recording.go
// describe. borrow.go builds a package with the test files of the other side.
package program

import (
	"context"
	"fmt"

	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/proc"
	"github.com/perftrack/perftrack/runner/record"
)

// A Program is a target built from one side's source.
type Program interface {
	// Slots lists the program's benchmarks in a fixed order.
	Slots(ctx context.Context) ([]Slot, error)
	// Lacking returns the jobs that must run before the slots can be measured with the layout seed.
	// It returns nil for kinds of targets that cannot choose a layout.
	Lacking(seed uint64, slots []Slot) []LinkJob
	// Use prepares the slots for a round with the seed. All jobs that Lacking returns for them must
	// have run.
	Use(seed uint64, slots []Slot) error
	// Command returns the command that measures the slot once.
	Command(s Slot) proc.Command
	// Environment returns the settings specific to the kind of target: toolchain, build flags and
	// layout mode.
	Environment(ctx context.Context) (record.Settings, error)
	// Format returns the name of the program's output format.
	Format() string
	// Rotates reports whether each round has a different layout.
	Rotates() bool
	// Close removes everything that was built.
	Close() error
}

// Open builds the target of p for one side.
func Open(ctx context.Context, p *Spec, side Side) (Program, error) {
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
