package slicing

import (
	"math"
	"time"
)

// inPhases returns the number of operations a slice needs, at least n, so that one additional
// periodic event changes its time by less than half of the threshold. A periodic event may be the
// flush of a buffer, the growth of a table or a garbage collection. Its effect is not visible
// within one process, because all its slices are alike. For example, if every thousandth operation
// of a count is slow, slices of 1,000 operations contain one such operation and slices of 999
// contain none. inPhases therefore compares processes with different numbers of operations.
func (c *chooser) inPhases(n int, perOp float64) (int, error) {
	for {
		length := float64(n) * perOp
		if n < fewest || length > float64(manyTimes) {
			return n, nil
		}
		by := 0.0
		for range 2 { // a single positive result is due to chance for one benchmark in a hundred
			var err error
			if by, err = c.uneven(n); err != nil || by < c.threshold/2 {
				return n, err
			}
		}
		// A few random numbers do not reach the extremes, so their range is extrapolated. This is
		// correct only on average, so slightly shorter slices may be enough.
		const less = 1.5
		n = int(math.Ceil(float64(n) * math.Max(2, by*(phases+1)/(phases-1)/(c.threshold/2))))
		if length := float64(n) * perOp; length > less*float64(c.longest()) {
			return 0, refuse("it does something too rarely for short turns", "it would need turns of %v", round(length))
		}
		n = min(n, int(float64(c.longest())/perOp))
	}
}

const (
	// manyTimes is the length of slices beyond which they contain each periodic event many times.
	// Slices get that long because they must contain collections, whose noise could be mistaken for
	// phases.
	manyTimes = 3 * time.Millisecond

	// phases is the number of different numbers of operations to compare, and passes is the number
	// of measurements of each.
	phases, passes = 4, 2

	// fewest is the smallest number of operations with enough different numbers around it to
	// compare.
	fewest = 2 * phases

	// provenRatio is the limit on the ratio of the variance between numbers of operations to the
	// variance between processes, for both sides together. If the number makes no difference, the
	// ratio exceeds it with a probability of 1 %. It is the quantile of the F distribution with
	// 2*(phases-1) and 2*phases*(passes-1) degrees of freedom.
	provenRatio = 6.37
)

// uneven returns the relative difference in the time per operation between the numbers of
// operations of the first rounds, or 0 if no difference is proven. Each number is measured in two
// pairs of processes, in opposite order, because processes also differ from each other (analysis of
// variance, Fisher 1925). If the first pass shows hardly any difference, there is no need for a
// second one.
func (c *chooser) uneven(n int) (float64, error) {
	const pairs = 5
	var logs [2][phases][passes]float64 // log time per operation, by side
	for pass := range passes {
		for i := range phases {
			k := i
			if pass == 1 {
				k = phases - 1 - i
			}
			operations := Method{N: n}.iterations(c.spec.Name, k)
			quick, err := c.quickest(operations, pairs)
			if err != nil {
				return 0, err
			}
			for side, t := range quick {
				logs[side][k][pass] = math.Log(t / float64(operations))
			}
		}
		if pass == 0 && max(distance(logs[0]), distance(logs[1])) < c.threshold/2 {
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

// distance returns the distance between the lowest and the highest value of the first pass.
func distance(logs [phases][passes]float64) float64 {
	low, high := math.Inf(1), math.Inf(-1)
	for _, of := range logs {
		low, high = min(low, of[0]), max(high, of[0])
	}
	return high - low
}

// variances returns the mean squares between the numbers of operations and within them, and the
// distance between the lowest and the highest mean.
func variances(logs [phases][passes]float64) (between, within, distance float64) {
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

// undisturbed returns, for each side, the time of a slice with little interference, in nanoseconds.
func (c *chooser) undisturbed(n, pairs int) ([2]float64, error) {
	p, err := c.probe(c.spec, n, pairs, false)
	if err != nil {
		return [2]float64{}, err
	}
	return [2]float64{p.quiet(0), p.quiet(1)}, nil
}
