package slicing

import (
	"math"
	"os"
	"slices"

	"github.com/perftrack/perftrack/runner/turnstile"
)

// heapMinimum is how much the Go runtime lets a program allocate at least between two collections:
// 4 MiB, unless GOGC or the program say otherwise.
const heapMinimum = 4 << 20

// collections returns how many operations a slice has at least, n or more, so that one collection
// more or less in it makes less than half of the difference that matters. With a collection before
// each count every slice holds the same whole number of them, so of two sides that allocate a
// little differently one would have one more in all slices of many rounds, or never.
func (c *chooser) collections(n int, perOp float64) (int, error) {
	needed := n
	for side, long := range c.long {
		if long.bytes == 0 {
			continue
		}
		perCollection := heapMinimum / long.bytes // operations
		share, err := c.collecting(side, perCollection, perOp)
		if err != nil {
			return 0, err
		}
		if share < c.threshold/2 {
			continue // were it twice as much, or nothing, it would not matter
		}
		needed = max(needed, int(math.Ceil(perCollection*max(2, 2*share/c.threshold))))
	}
	if length := float64(needed) * perOp; length > float64(longest) {
		return 0, refuse("its slices would take %v to hold enough collections", round(length))
	}
	return needed, nil
}

// collecting measures which share of a side's time goes into collections: in turns with the same
// program without any. What one of them leaves is collected before the next count.
func (c *chooser) collecting(side int, perCollection, perOp float64) (float64, error) {
	const pairs, most = 8, 25e6
	n := max(1, int(min(4*perCollection, most/perOp)))
	if float64(n) < perCollection {
		// So seldom that a collection would have to take a long time to matter.
		return 0, nil
	}
	spec := c.spec
	with, without := c.spec.Sides[side], c.spec.Sides[side]
	without.Env = append(slices.Clone(environment(with)), "GOGC=off")
	spec.Sides = [2]turnstile.Side{with, without}
	p, err := c.probe(spec, n, pairs, false)
	if err != nil {
		return 0, err
	}
	return max(0, 1-p.quiet(1)/p.quiet(0)), nil
}

// environment is that in which a side runs.
func environment(s turnstile.Side) []string {
	if s.Env == nil {
		return os.Environ()
	}
	return s.Env
}
