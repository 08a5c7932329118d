package runner

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"

	"github.com/perftrack/perftrack/runner/proc"
)

// buildTimeout bounds one build step. A first build may compile a large
// module, or cgo code, from nothing.
const buildTimeout = 30 * time.Minute

// buildStep runs a command that prepares measuring and returns its stdout. It
// is supervised like the benchmarks are: an interrupted build must not go on
// eating the machine.
func buildStep(ctx context.Context, what string, c proc.Command) ([]byte, error) {
	c.Timeout = buildTimeout
	res, err := proc.Run(ctx, c)
	if errors.Is(err, exec.ErrNotFound) {
		return nil, &BuildError{What: what, Err: fmt.Errorf("%s is not installed or not in PATH: %w", c.Argv[0], err)}
	}
	if err != nil {
		return nil, fmt.Errorf("build %s: %w", what, err)
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err := res.Err(); err != nil {
		return nil, &BuildError{What: what, Output: lastLines(string(res.Stderr)+string(res.Stdout), 20), Err: err}
	}
	return res.Stdout, nil
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

// filterText says in messages which filters were on.
func (p *Plan) filterText() string {
	var s string
	if p.Bench != "" {
		s += fmt.Sprintf(" matching %q", p.Bench)
	}
	if p.Suite != "" {
		s += fmt.Sprintf(" in suite %q", p.Suite)
	}
	return s
}
