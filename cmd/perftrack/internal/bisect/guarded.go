package bisect

import (
	"context"
	"errors"
	"os"
	"os/exec"
)

// These are the exit codes of `git bisect run` as perftrack uses them. Any code other than the
// first three stops the bisection, because a crashing Go program exits with 2, and git would take
// this for a bad commit.
const (
	ExitGood    = 0
	ExitBad     = 1
	ExitSkipped = 125
	ExitStop    = 128
)

// RunGuarded runs a step of git bisect in a separate process. It returns the exit code of that
// process, or ExitStop if the code is not a judgement on the commit. The environment variable mark
// makes the process run the step.
func RunGuarded(ctx context.Context, argv []string, mark string) int {
	c := exec.CommandContext(ctx, argv[0], argv[1:]...)
	c.Env = append(os.Environ(), mark)
	c.Stdin, c.Stdout, c.Stderr = os.Stdin, os.Stdout, os.Stderr
	ownGroup(c) // the process should receive Ctrl-C only once, from us
	c.Cancel = func() error { return c.Process.Signal(os.Interrupt) }
	err := c.Run()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return ExitStop
	case err == nil:
		return ExitGood
	case errors.As(err, &exit) && (exit.ExitCode() == ExitBad || exit.ExitCode() == ExitSkipped):
		return exit.ExitCode()
	}
	return ExitStop
}
