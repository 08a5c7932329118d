// Package build runs the steps that prepare a measurement: a target's build line, and the
// go command when it lists and builds packages.
//
// [Step] runs one command and returns its standard output, or an [Error] that says what
// could not be built and shows the end of what the tool printed. A step is stopped when
// perftrack ends, however it ends, and after half an hour. network.go says which failures
// are tried again.
package build

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"

	"github.com/perftrack/perftrack/runner/childenv"
	"github.com/perftrack/perftrack/runner/proc"
)

// stepTimeout bounds one build step. A first build may compile a large
// module, or cgo code, from nothing.
const stepTimeout = 30 * time.Minute

// Step runs a command that prepares measuring and returns its stdout. It
// is supervised like the benchmarks are: an interrupted build must not go on
// eating the machine. Without an environment of its own it gets that of a tool. One that fails for the
// network is tried again.
func Step(ctx context.Context, what string, c proc.Command) ([]byte, error) {
	return again(ctx, func() ([]byte, error) { return Once(ctx, what, c) })
}

// Once is a Step that is not tried again: of a program that is itself to be measured.
func Once(ctx context.Context, what string, c proc.Command) ([]byte, error) {
	c.Timeout = stepTimeout
	if c.Env == nil {
		c.Env = childenv.Tools()
	}
	res, err := proc.Run(ctx, c)
	if errors.Is(err, proc.ErrLost) && ctx.Err() == nil {
		return nil, &Error{What: what, Err: err}
	}
	if errors.Is(err, exec.ErrNotFound) {
		return nil, &Error{What: what, Err: fmt.Errorf("%s is not installed or not in PATH: %w", c.Argv[0], err)}
	}
	if err != nil {
		return nil, fmt.Errorf("build %s: %w", what, err)
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err := res.Err(); err != nil {
		return nil, Failed(what, res, err)
	}
	return res.Stdout, nil
}

// Failed is the error of a step that ran and failed with err.
func Failed(what string, res proc.Result, err error) error {
	return &Error{What: what, Output: lastLines(string(res.Stderr)+string(res.Stdout), 20), Err: err}
}

// lastLines returns the last n lines of s: of a failing tool's output, the end
// says what went wrong.
func lastLines(s string, n int) string {
	lines := strings.Split(strings.TrimRight(s, "\n"), "\n")
	if len(lines) > n {
		lines = lines[len(lines)-n:]
	}
	return strings.Join(lines, "\n")
}

// An Error is a target that does not build or start; `git bisect` skips
// such a commit.
type Error struct {
	What   string // what was being built
	Output string // the end of what the tool printed
	Err    error
}

func (e *Error) Error() string {
	if e.Output == "" {
		return fmt.Sprintf("build %s: %v", e.What, e.Err)
	}
	return fmt.Sprintf("build %s: %v\n%s", e.What, e.Err, e.Output)
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }
