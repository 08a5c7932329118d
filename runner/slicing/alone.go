package slicing

import (
	"bytes"
	"fmt"

	"golang.org/x/perf/benchfmt"

	"github.com/perftrack/perftrack/runner/proc"
)

// alone runs n operations of a side in a fresh process, with a setting of GODEBUG, if any, and returns what
// it printed of the benchmark; the result is nil where it printed none.
func (c *chooser) alone(side, n int, setting string) (proc.Result, *benchfmt.Result, error) {
	bin := c.plain.Sides[side]
	if setting != "" {
		bin = debugging(bin, setting)
	}
	once := c.plain
	once.N, once.Slices = n, 0
	r, err := proc.Run(c.ctx, proc.Command{
		Argv: once.Argv(bin), Dir: bin.Dir, Env: environment(bin), CPUs: c.plain.CPUs, Box: bin.Box, Timeout: c.plain.Timeout,
	})
	if err == nil {
		err = c.ctx.Err()
	}
	switch {
	case err != nil:
		return r, nil, fmt.Errorf("run benchmark %s alone: %w", c.plain.Name, err)
	case r.Err() != nil:
		return r, nil, refuse("its process ended in a long run: %v", r.Err())
	}
	var last *benchfmt.Result
	for lines := benchfmt.NewReader(bytes.NewReader(r.Stdout), ""); lines.Scan(); {
		if res, ok := lines.Result().(*benchfmt.Result); ok {
			last = res.Clone()
		}
	}
	return r, last, nil
}
