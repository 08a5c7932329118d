package slicing

import (
	"math"
	"slices"

	"github.com/perftrack/perftrack/runner/turnstile"
)

// representative returns how many operations a slice has at least so that it stands for a long
// sample: those of the usual length, or some times as many.
func (c *chooser) representative(n int) (operations int, perOp float64, err error) {
	const pairs = 8
	c.calm(n)
	p, err := c.probe(c.spec, n, pairs, false)
	if err != nil {
		return 0, 0, err
	}
	// A long sample was disturbed for longer than the quickest of some slices.
	perOp = p.length() / float64(n)
	asked := n
	if n = operationsOf(usualLength, perOp); 2*n < 3*asked && 2*asked < 3*n {
		n = asked // the probe stands for it
	}
	for {
		if n != asked {
			c.calm(n)
			if p, err = c.probe(c.spec, n, pairs, false); err != nil {
				return 0, 0, err
			}
			asked, perOp = n, min(perOp, p.length()/float64(n))
		}
		if c.fit(p) < leastSlices/2 { // a few slices of a busy machine tell no more precisely
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
			return 0, 0, refuse("%s (in turns of %v)", why, round(length/float64(factor)))
		}
		n *= factor
	}
}

// unlike says why slices of n operations do not stand for a long sample, "" if they do, and how much
// longer ones may.
func (c *chooser) unlike(p probe, n int) (why string, factor int, err error) {
	if !c.alike(p) {
		return "it does not allocate in short turns as in a long run", 2, nil
	}
	if by := p.crowded(); by > 1 {
		return "in short turns less than half of the time is timed", 1 << int(math.Ceil(math.Log2(by))), nil
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
		return "an operation takes less time in short turns than in long ones, which touch more memory", 4, err
	}
	return "", 1, err
}

const (
	// stretch is how many times as long as a slice the long ones are that it is held against, where
	// that is no longer than a slice may be.
	stretch = 16

	// briefStretch is enough where the warm-up's samples agree with the slices.
	briefStretch = 4

	// mostOff is by how much, as a logarithm, an operation may take longer or less time in a slice than in
	// a long one. What is done once a count, in a slice, makes a change read less by its part of the time: of
	// 5 % a tenth is half a point, and longer slices, of which a round has fewer, would cost more than that.
	mostOff = 0.1

	// mostOffThreads allows several threads more: each count starts them anew, and a long slice stays in one mode of
	// a lock where many short ones mix all modes. Rounds of a table under a lock differed by 2.9 % with 50 slices
	// of 2.5 ms, and by 9.6 % with 20 of 9 ms.
	mostOffThreads = 0.3
)

// stretched returns by how much an operation takes longer in slices of n operations than in slices some
// times as long, as a logarithm: something is done once a count; and by how much less: a count walks
// through memory from the beginning, and a short one stays in the caches. It is that of the side
// where it is most, and 0 where the pairs of slices do not agree. Both are measured in turns, since the
// machine changes from one moment to the next. On a busy one long slices are those that wait for a
// CPU: that is no reason to call the short ones quicker. How many threads are at work is told by what
// the long slices have more than the short ones.
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
	var all [2]probe // short and long slices
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

// confirmed reports whether the warm-up's samples, some fifty times as long as a slice, agree with the slices on
// both sides.
func (c *chooser) confirmed(p probe) bool {
	for side, long := range c.long {
		off := math.Log(long.time / p.typical(side, func(s probed) float64 { return s.time }))
		if !(math.Abs(off) <= mostOff) {
			return false
		}
	}
	return true
}

// agreed is the median of logarithms of which so many are above 0 as by chance once in a hundred times at most,
// else 0: all of eight, and of sixteen all but two (sign test).
func agreed(logs []float64) float64 {
	v := slices.Sorted(slices.Values(logs))
	n := len(v)
	if n < 7 || math.IsNaN(v[0]) || math.IsInf(v[n-1], 0) || !(v[(n-4)/6] > 0) { // NaN comes first
		return 0
	}
	return middleOf(v)
}
