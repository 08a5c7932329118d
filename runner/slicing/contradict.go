package slicing

import (
	"math"
	"slices"
)

// A Contradiction is whether a benchmark takes as long in slices as in long samples of fresh processes.
type Contradiction int

const (
	Agrees    Contradiction = iota // or nothing is known
	Suspected                      // the only long sample says something else: make another one of each side
	Confirmed                      // all of several do, in the same way
)

const (
	// contradictLeast is the factor by which a long sample differs at least, and contradictLimit how many
	// standard deviations of a slice: a machine that is busy now and idle then makes less of both, again and
	// again the same way.
	contradictLeast, contradictLimit = 1.25, 3
)

// Contradicts holds pairs of long samples, base's and head's time per operation, against the pairs of slices
// of a probe. Slices do not see what happens every so many calls where a process of slices makes fewer,
// nor what their few operations find in a cache. Then the time of a side differs from that of its slices, or
// the ratio of both sides does. All slices count, also those that are off: what they see now and then is in
// their [Mean], and is no contradiction.
//
// Call it with the sample that the warm-up made. If that is Suspected, measure another fresh process of each
// side, and call it with both pairs: where these are Confirmed, samples long enough to contain the event
// measure the benchmark, as fresh processes are, and its way says why.
func Contradicts(long, turns [][2]float64) Contradiction {
	r := ratiosOf(turns)
	if len(r.values) < leastPairs || len(long) == 0 {
		return Agrees
	}
	var level, spread [2]float64
	for side := range level {
		sum, logs := 0.0, []float64(nil)
		for _, i := range r.index {
			sum += turns[i][side]
			logs = append(logs, math.Log(turns[i][side]))
		}
		slices.Sort(logs)
		level[side] = math.Log(sum / float64(len(logs)))
		spread[side] = normalMAD * middleOf(deviations(logs, middleOf(logs)))
	}
	base := func(p [2]float64) float64 { return math.Log(p[0]) - level[0] }
	head := func(p [2]float64) float64 { return math.Log(p[1]) - level[1] }
	ratio := func(p [2]float64) float64 { return head(p) - base(p) }
	if allBeyond(long, base, spread[0]) || allBeyond(long, head, spread[1]) || allBeyond(long, ratio, r.spread) {
		return min(Confirmed, Contradiction(len(long)))
	}
	return Agrees
}

// allBeyond reports whether all pairs lie further off than noise of that spread makes, to the same side.
func allBeyond(pairs [][2]float64, off func([2]float64) float64, spread float64) bool {
	limit := max(math.Log(contradictLeast), contradictLimit*spread)
	low, high := 0, 0
	for _, p := range pairs {
		switch x := off(p); {
		case math.IsInf(x, 0): // without a time
		case x > limit:
			high++
		case x < -limit:
			low++
		}
	}
	return max(low, high) == len(pairs)
}
