package slicing

import (
	"math"
	"time"
)

// inPhases returns how many operations a slice has at least, n or more, so that whatever happens every
// so often in it happens so many times that once more or less makes less than half of the difference
// that matters: a buffer that is flushed, a table that grows, a collection. The slices of a process are
// all alike, and tell nothing of it: of 1,000 operations and of 999 the time of one differs. So
// those of processes with several numbers of operations are compared.
func (c *chooser) inPhases(n int, perOp float64) (int, error) {
	for {
		length := float64(n) * perOp
		if n < fewest || length > float64(manyTimes) {
			return n, nil
		}
		by, err := c.uneven(n)
		if err != nil || by < c.threshold/2 {
			return n, err
		}
		again, err := c.uneven(n) // the machine is not uneven in the same way again
		if err != nil {
			return 0, err
		}
		if by = math.Min(by, again); by < c.threshold/2 {
			return n, nil
		}
		// The lowest and the highest of some numbers at random are not so far apart as any are; in the
		// mean, so a little less may do.
		const less = 1.5
		n = int(math.Ceil(float64(n) * math.Max(2, by*(phases+1)/(phases-1)/(c.threshold/2))))
		if length := float64(n) * perOp; length > less*float64(c.longest()) {
			return 0, refuse("something in it happens too seldom for short turns (those of %v would hold it often enough)", round(length))
		}
		n = min(n, int(float64(c.longest())/perOp))
	}
}

const (
	// manyTimes is from where on slices hold what happens every so often many times: it is what
	// collections are asked for, and these alone are noise enough to be taken for it.
	manyTimes = 3 * time.Millisecond

	// phases is how many numbers of operations are compared.
	phases = 4

	// fewest operations have enough numbers about them to compare.
	fewest = 2 * phases
)

// uneven returns by which share the time of an operation differs among numbers of operations like
// those of the first rounds. Each is measured twice, in fresh processes and in opposite order, and
// what one time calls the quickest and the slowest is asked of the other time: of noise nothing is left
// in the mean. Where the first time shows no such difference at all nothing more is asked.
func (c *chooser) uneven(n int) (float64, error) {
	const pairs = 5
	times := [2][2][phases]float64{} // by pass and side
	for pass := range times {
		if most := max(apart(times[0][0], times[0][0]), apart(times[0][1], times[0][1])); pass > 0 && most < c.threshold/2 {
			return most, nil
		}
		for i := range phases {
			k := i
			if pass == 1 {
				k = phases - 1 - i
			}
			operations := Way{N: n}.iterations(c.spec.Name, k)
			quiet, err := c.quickest(operations, pairs)
			if err != nil {
				return 0, err
			}
			for side, t := range quiet {
				times[pass][side][k] = t / float64(operations)
			}
		}
	}
	by := 0.0
	for side := range 2 {
		by = math.Max(by, math.Min(apart(times[0][side], times[1][side]), apart(times[1][side], times[0][side])))
	}
	return by, nil
}

// apart is by which share the times differ, between where those of another pass are least and most.
func apart(times, other [phases]float64) float64 {
	least, most := 0, 0
	for k, t := range other {
		if t < other[least] {
			least = k
		}
		if t > other[most] {
			most = k
		}
	}
	return times[most]/times[least] - 1
}

// undisturbed is what a slice of each side takes at least, in nanoseconds.
func (c *chooser) undisturbed(n, pairs int) ([2]float64, error) {
	p, err := c.probe(c.spec, n, pairs, false)
	if err != nil {
		return [2]float64{}, err
	}
	return [2]float64{p.quiet(0), p.quiet(1)}, nil
}
