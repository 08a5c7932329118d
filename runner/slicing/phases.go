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
		by := 0.0
		for range 2 { // by chance once in a hundred times, and each benchmark is asked
			var err error
			if by, err = c.uneven(n); err != nil || by < c.threshold/2 {
				return n, err
			}
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

	// phases is how many numbers of operations are compared, and passes how often each.
	phases, passes = 4, 2

	// fewest operations have enough numbers about them to compare.
	fewest = 2 * phases

	// provenRatio is what the variance between numbers of operations is of that between processes, of
	// both sides together, with a chance of 1 % where the numbers make no difference: the quantile of F
	// with 2*(phases-1) and 2*phases*(passes-1) degrees of freedom.
	provenRatio = 6.37
)

// uneven returns by which share the time of an operation differs among numbers of operations like
// those of the first rounds, 0 where that is not proven: each number is measured in two pairs of
// processes, in opposite order, and processes differ by themselves (analysis of variance, Fisher 1925). Where
// those of the first order hardly differ there is nothing to prove.
func (c *chooser) uneven(n int) (float64, error) {
	const pairs = 5
	var logs [2][phases][passes]float64 // of the time of an operation, by side
	for pass := range passes {
		for i := range phases {
			k := i
			if pass == 1 {
				k = phases - 1 - i
			}
			operations := Way{N: n}.iterations(c.spec.Name, k)
			quick, err := c.quickest(operations, pairs)
			if err != nil {
				return 0, err
			}
			for side, t := range quick {
				logs[side][k][pass] = math.Log(t / float64(operations))
			}
		}
		if pass == 0 && max(apart(logs[0]), apart(logs[1])) < c.threshold/2 {
			return 0, nil
		}
	}
	between, within, by := 0.0, 0.0, 0.0
	for _, side := range logs {
		b, w, off := variances(side)
		between, within, by = between+b, within+w, max(by, math.Expm1(off))
	}
	if between < provenRatio*within {
		return 0, nil
	}
	return by, nil
}

// apart is how far the lowest and the highest of the first pass are from each other.
func apart(logs [phases][passes]float64) float64 {
	low, high := math.Inf(1), math.Inf(-1)
	for _, of := range logs {
		low, high = min(low, of[0]), max(high, of[0])
	}
	return high - low
}

// variances are the mean squares of the means of the numbers of operations, of their passes about
// these, and how far the lowest and the highest mean are apart.
func variances(logs [phases][passes]float64) (between, within, apart float64) {
	var means [phases]float64
	all := 0.0
	for k, of := range logs {
		for _, x := range of {
			means[k] += x / passes
		}
		all += means[k] / phases
	}
	low, high := math.Inf(1), math.Inf(-1)
	for k, of := range logs {
		between += passes * (means[k] - all) * (means[k] - all) / (phases - 1)
		for _, x := range of {
			within += (x - means[k]) * (x - means[k]) / (phases * (passes - 1))
		}
		low, high = min(low, means[k]), max(high, means[k])
	}
	return between, within, high - low
}

// undisturbed is what a slice of each side takes at least, in nanoseconds.
func (c *chooser) undisturbed(n, pairs int) ([2]float64, error) {
	p, err := c.probe(c.spec, n, pairs, false)
	if err != nil {
		return [2]float64{}, err
	}
	return [2]float64{p.quiet(0), p.quiet(1)}, nil
}
