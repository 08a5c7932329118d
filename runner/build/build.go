// Package build runs the commands before a measurement: the build commands of targets, and the go
// command to list and build packages.
//
// [Step] runs one command and returns its standard output, or an [Error] with the name of the step
// and the end of the tool's output. A step is stopped after half an hour, and when perftrack ends
// for any reason. network.go selects the failures to retry.
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

// stepTimeout is the time limit for one build step. A first build may have to compile a large
// module or cgo code from scratch.
const stepTimeout = 30 * time.Minute

// Step runs a step that prepares a measurement and returns its stdout. The step is supervised like
// a benchmark, so an interrupted build does not keep the machine busy. If c has no environment, it
// gets the environment for tools. Step retries after network failures.
func Step(ctx context.Context, what string, c proc.Command) ([]byte, error) {
	return again(ctx, func() ([]byte, error) { return Once(ctx, what, c) })
}

// Once is like Step but never retries. Use it to run a measured program.
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

// Failed returns the error for a failed step: err and the end of the step's output.
func Failed(what string, res proc.Result, err error) error {
	return &Error{What: what, Output: lastLines(string(res.Stderr)+string(res.Stdout), 20), Err: err}
}

// lastLines returns the last n lines of s. When a tool fails, the reason is at the end of its
// output.
func lastLines(s string, n int) string {
	lines := strings.Split(strings.TrimRight(s, "\n"), "\n")
	if len(lines) > n {
		lines = lines[len(lines)-n:]
	}
	return strings.Join(lines, "\n")
}

// An Error means that a target could not be built or started, so git bisect should skip the commit.
type Error struct {
	What   string // name of the step
	Output string // end of the tool's output
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
