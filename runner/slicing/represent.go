package slicing

import (
	"math"
	"slices"

	"github.com/perftrack/perftrack/runner/turnstile"
)

// representative returns the number of operations a slice needs to represent a long sample: as many
// as fit into the usual length, or a multiple of them.
func (c *chooser) representative(n int) (operations int, perOp float64, err error) {
	const pairs = 8
	c.calm(n)
	p, err := c.probe(c.spec, n, pairs, false)
	if err != nil {
		return 0, 0, err
	}
	// The long sample contains more interference than the fastest of a few slices, so the slices
	// give a better estimate.
	perOp = p.length() / float64(n)
	asked := n
	if n = operationsOf(usualLength, perOp); 2*n < 3*asked && 2*asked < 3*n {
		n = asked // the first probe is close enough
	}
	for {
		if n != asked {
			c.calm(n)
			if p, err = c.probe(c.spec, n, pairs, false); err != nil {
				return 0, 0, err
			}
			asked, perOp = n, min(perOp, p.length()/float64(n))
		}
		if c.fit(p) < leastSlices/2 { // a few slices on a busy machine would not be more precise
			return 0, 0, c.tooLong(p)
		}
		why, factor, err := c.unlike(p, n)
		if err != nil {
			return 0, 0, err
		}
		if why == "" {
			n, err = c.collections(n, perOp, p.busy())
			c.calm(n)
			c.pin()
			return n, perOp, err
		}
		if length := perOp * float64(n*factor); length > float64(c.longest()) {
			return 0, 0, refuse(why, "in turns of %v", round(length/float64(factor)))
		}
		n *= factor
	}
}

// unlike describes why slices of n operations do not represent a long sample, or returns "" if they
// do. factor is how many times longer the slices to try next should be.
func (c *chooser) unlike(p probe, n int) (why string, factor int, err error) {
	if !c.alike(p) {
		return "it allocates differently in short turns than in a long run", 2, nil
	}
	if by := p.crowded(); by > 1 {
		return "less than half of the time in short turns is timed", 1 << int(math.Ceil(math.Log2(by))), nil
	}
	times := stretch
	if c.confirmed(p) {
		times = briefStretch
	}
	times = min(times, int(float64(c.longest())/p.length()))
	if times < 2 {
		return "", 1, nil
	}
	longer, quicker, err := c.stretched(n, times)
	most := mostOff
	if c.threads >= mostThreads {
		most = mostOffThreads
	}
	switch {
	case longer > most:
		return "an operation takes longer in short turns than in long ones", 2, err
	case quicker > mostOff:
		return "an operation takes less time in short turns than in long ones, which use more memory", 4, err
	}
	return "", 1, err
}

const (
	// stretch is the length of long slices as a multiple of a normal slice's length, within the
	// limit on the length of a slice.
	stretch = 16

	// briefStretch is used instead if the samples of the warm-up agree with the slices.
	briefStretch = 4

	// mostOff is the allowed difference in the time per operation between slices and long slices,
	// as a logarithm. Work done once per count makes a change look smaller by its share of the
	// time. A tenth of a 5 % change is half a percentage point, and using longer but fewer slices
	// would cost more.
	mostOff = 0.1

	// mostOffThreads is the limit with several threads. Each count starts them anew, and a long
	// slice remains in one mode of a lock, while many short ones mix all modes. Rounds of a table
	// protected by a lock differed by 2.9 % with 50 slices of 2.5 ms, and by 9.6 % with 20 slices
	// of 9 ms.
	mostOffThreads = 0.3
)

// stretched compares slices of n operations with slices of times*n operations. Both results are
// logarithms of ratios. longer is how much more time an operation takes in the short slices,
// because of work done once per count. quicker is how much less time it takes in them, because each
// count walks through memory from the beginning and a short one stays within the caches. Each is
// the larger value of the two sides, or 0 if the pairs of slices do not agree. Short and long
// slices take turns, because the speed of the machine varies. On a busy machine, the long slices
// contain waits for a CPU, which are subtracted to compute quicker. The comparison also shows how
// many threads are at work.
func (c *chooser) stretched(n, times int) (longer, quicker float64, err error) {
	const pairs = 7
	short, err := c.open(c.spec, n, pairs, false)
	if err != nil {
		return 0, 0, err
	}
	defer short.Close()
	long, err := c.open(c.spec, times*n, pairs, false)
	if err != nil {
		return 0, 0, err
	}
	defer long.Close()
	var more, less [2][]float64
	var all [2]probe // short slices, then long ones
	for i := range pairs + warmUp {
		for side := range more {
			var s [2]probed
			for k := range s {
				which := (i + k) % 2
				if s[which], err = take([2]*turnstile.Pair{short, long}[which], side, n*(1+which*(times-1))); err != nil {
					return 0, 0, err
				}
			}
			if i >= warmUp {
				more[side] = append(more[side], math.Log(s[0].time/s[1].time))
				less[side] = append(less[side], math.Log((s[1].time-s[1].owed())/s[0].time))
				for k := range s {
					all[k].sides[side] = append(all[k].sides[side], s[k])
				}
			}
		}
	}
	either := func(logs [2][]float64) float64 {
		return max(agreed(logs[0]), agreed(logs[1]), agreed(slices.Concat(logs[0], logs[1])))
	}
	c.threads = threads(all[0], all[1])
	return either(more), either(less), nil
}

// confirmed reports whether the samples of the warm-up, about fifty times as long as a slice, agree
// with the slices on both sides.
func (c *chooser) confirmed(p probe) bool {
	for side, long := range c.long {
		off := math.Log(long.time / p.typical(side, func(s probed) float64 { return s.time }))
		if !(math.Abs(off) <= mostOff) {
			return false
		}
	}
	return true
}

// agreed returns the median of the logarithms if significantly many of them are positive (sign test
// at 1 %), and otherwise 0. For example, eight of eight or fourteen of sixteen are enough.
func agreed(logs []float64) float64 {
	v := slices.Sorted(slices.Values(logs))
	n := len(v)
	if n < 7 || math.IsNaN(v[0]) || math.IsInf(v[n-1], 0) || !(v[(n-4)/6] > 0) { // NaN sorts first
		return 0
	}
	return middleOf(v)
}
