package runner

import (
	"context"

	"github.com/perftrack/perftrack/runner/proc"
)

// commandProgram is any benchmark program: a build command, and a run command
// whose output runner/format reads. One process is one sample of everything it
// prints.
type commandProgram struct {
	plan *Plan
	dir  string
}

func openCommand(ctx context.Context, p *Plan, side Side) (program, error) {
	if p.Target.Build != "" {
		what := "target " + p.Target.Name + " (" + p.Target.Build + ")"
		if _, err := buildStep(ctx, what, shell(p.Target.Build, side.Dir)); err != nil {
			return nil, err
		}
	}
	return &commandProgram{p, side.Dir}, nil
}

// shell runs a line of perftrack.toml as make would: the author of the file
// may expect words, quotes and variables to mean what they mean in a shell.
func shell(line, dir string) proc.Command {
	return proc.Command{Argv: []string{"/bin/sh", "-c", line}, Dir: dir}
}

func (c *commandProgram) slots(context.Context) ([]Slot, error) {
	return []Slot{{Package: c.plan.Target.Name}}, nil
}

func (c *commandProgram) link(context.Context, uint64, []Slot) error { return nil }

func (c *commandProgram) command(Slot) proc.Command { return shell(c.plan.Target.Run, c.dir) }

func (c *commandProgram) environment(context.Context) (Settings, error) {
	return Settings{{"layout", "default"}}, nil
}

func (c *commandProgram) format() string { return c.plan.Target.Format }
func (c *commandProgram) rotates() bool  { return false }
func (c *commandProgram) close() error   { return nil }
