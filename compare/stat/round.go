package stat

import (
	"math"
	"slices"
)

// A RoundValue makes one value of the slices of a round: the log of head's time to base's.
// Each is antisymmetric, to the last bit: if the sides change places, the value changes its
// sign. So where the sides behave the same and a fair coin decides which is first, the
// sign of the value is the coin's, and a test of signed ranks is exact with any of them.
type RoundValue func(slices []Pair) Round

// A Round is what the slices of a round say.
type Round struct {
	Value float64 // log of the ratio, head to base; NaN if there are too few slices
	Kept  int     // pairs of slices that Value is of

	// Spread is the standard deviation of the log ratios of the pairs of slices, by their
	// median absolute deviation.
	Spread float64

	// Lower and Higher are how many pairs of slices have ratios that are off, downwards and
	// upwards. Where both sides behave the same, either is as likely as the other: so
	// what one side does rarely can be tested by them, when Value does not show it.
	Lower, Higher int
}

const (
	// leastSlices is how many pairs of slices a round needs.
	leastSlices = 8

	// offLimit is how many standard deviations a pair may lie from the median of its round
	// before it is off, and offLeast how far it may lie in any case: times are printed with
	// four digits, and of equal ones the deviation is 0.
	offLimit, offLeast = 5, 0.01

	// offSided is the chance below which pairs that are off lean too much to one side to
	// come from the machine.
	offSided = 0.05

	// trimShare is cut from either end of the log ratios for TrimmedRatio.
	trimShare = 0.2
)

// SumRatio is the ratio of the sums without the pairs that are off, both slices or none.
// It sees what costs time in some slices only, such as a collection in each tenth. Pairs
// that are off nearly all to one side stay: these are what that side does now and then, and
// not the machine's doing.
func SumRatio(pairs []Pair) Round {
	r, v := newRound(pairs)
	if v == nil {
		return r
	}
	middle, limit := middleOf(slices.Clone(v)), offBy(r.Spread)
	sided := signTest(r.Lower, r.Higher) < offSided
	base, head, kept := 0.0, 0.0, 0
	i := 0
	for _, p := range pairs {
		if !p.sliced() {
			continue
		}
		if sided || math.Abs(v[i]-middle) <= limit {
			base, head, kept = base+p.Base, head+p.Head, kept+1
		}
		i++
	}
	r.Value, r.Kept = math.Log(head)-math.Log(base), kept
	return r
}

// MedianRatio is the median of the pairs' ratios: what happens in the typical slice. It is the
// sharpest where a machine has long bursts of other work, and does not see what happens in
// fewer than half of the slices.
func MedianRatio(pairs []Pair) Round {
	r, v := newRound(pairs)
	if v != nil {
		r.Value, r.Kept = middleOf(v), len(v)
	}
	return r
}

// TrimmedRatio is the mean of the pairs' log ratios without a fifth at either end: between the
// other two.
func TrimmedRatio(pairs []Pair) Round {
	r, v := newRound(pairs)
	if v == nil {
		return r
	}
	slices.Sort(v)
	cut := int(trimShare * float64(len(v)))
	v = v[cut : len(v)-cut]
	sum := 0.0
	for i, j := 0, len(v)-1; i <= j; i, j = i+1, j-1 { // from both ends: antisymmetric
		if i == j {
			sum += v[i]
		} else {
			sum += v[i] + v[j]
		}
	}
	r.Value, r.Kept = sum/float64(len(v)), len(v)
	return r
}

// sliced reports whether the pair has a ratio.
func (p Pair) sliced() bool {
	return p.Base > 0 && p.Head > 0 && !math.IsInf(p.Base, 1) && !math.IsInf(p.Head, 1)
}

// newRound returns what does not depend on the estimator, and the log ratios in the order of
// the pairs; nil if there are too few.
func newRound(pairs []Pair) (Round, []float64) {
	r := Round{Value: math.NaN()}
	var v []float64
	for _, p := range pairs {
		if p.sliced() {
			v = append(v, math.Log(p.Head)-math.Log(p.Base))
		}
	}
	if len(v) < leastSlices {
		return r, nil
	}
	middle := middleOf(slices.Clone(v))
	off := make([]float64, len(v))
	for i, x := range v {
		off[i] = math.Abs(x - middle)
	}
	r.Spread = NormalMAD * middleOf(off)
	limit := offBy(r.Spread)
	for _, x := range v {
		switch {
		case x-middle > limit:
			r.Higher++
		case middle-x > limit:
			r.Lower++
		}
	}
	return r, v
}

// offBy is how far from the median a pair is off.
func offBy(spread float64) float64 { return max(offLimit*spread, offLeast) }

// middleOf is the median. Unlike [Median] it changes only its sign when all values do.
func middleOf(v []float64) float64 {
	slices.Sort(v)
	return v[(len(v)-1)/2]/2 + v[len(v)/2]/2
}

// signTest returns the chance that a fair coin falls as unevenly as a to b, or more.
func signTest(a, b int) float64 {
	n, least := a+b, min(a, b)
	term, sum := math.Ldexp(1, -n), 0.0
	for k := 0; k <= least; k++ {
		sum += term
		term *= float64(n-k) / float64(k+1)
	}
	return min(1, 2*sum)
}
