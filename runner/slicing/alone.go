package slicing

import (
	"fmt"

	"github.com/perftrack/perftrack/runner/proc"
)

// alone runs n operations of a side in a fresh process with an additional GODEBUG setting, while
// the other side is not running.
func (c *chooser) alone(side, n int, setting string) (proc.Result, error) {
	bin := debugging(c.plain.Sides[side], setting)
	once := c.plain
	once.N, once.Slices = n, 0
	r, err := proc.Run(c.ctx, proc.Command{
		Argv: once.Argv(bin), Dir: bin.Dir, Env: bin.Env, CPUs: c.plain.CPUs, Box: bin.Box, Timeout: c.plain.Timeout,
	})
	if err == nil {
		err = c.ctx.Err()
	}
	switch {
	case err != nil:
		return r, fmt.Errorf("run benchmark %s alone: %w", c.plain.Name, err)
	case r.Err() != nil:
		return r, refuse("its process ended in a long run", "%v", r.Err())
	}
	return r, nil
}
