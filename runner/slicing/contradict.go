package slicing

import (
	"math"
	"slices"
)

// A contradiction is whether a benchmark takes as long in slices as in long samples of fresh processes.
type contradiction int

const (
	agrees    contradiction = iota // or nothing is known
	suspected                      // the only long sample says something else: make another one of each side
	confirmed                      // all of several do, in the same way
)

const (
	// contradictLeast is the factor by which a long sample differs at least, and contradictLimit how many
	// standard deviations of a slice: a machine that is busy now and idle then makes less of both, again and
	// again the same way.
	contradictLeast, contradictLimit = 1.5, 3
)

// contradicts holds pairs of long samples, base's and head's time per operation, against the pairs of slices
// of a probe. Slices do not see what happens every so many calls where a process of slices makes fewer,
// nor what their few operations find in a cache. Then the time of a side differs from that of its slices, or
// the ratio of both sides does. All slices count, also those that are off: what they see now and then is in
// their [Mean], and is no contradiction.
//
// Where that is confirmed, samples long enough to contain the event measure the benchmark, as fresh processes
// are.
func contradicts(long, turns [][2]float64) contradiction {
	index, apart := ratiosOf(turns)
	if len(index) < leastPairs || len(long) == 0 {
		return agrees
	}
	var level, spread [2]float64
	for side := range level {
		sum, logs := 0.0, []float64(nil)
		for _, i := range index {
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
	if allBeyond(long, base, spread[0]) || allBeyond(long, head, spread[1]) || allBeyond(long, ratio, apart) {
		return min(confirmed, contradiction(len(long)))
	}
	return agrees
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

// contradicted refuses slices of which the long samples say something else: the one that the warm-up made, and
// if that does, another one of each side.
func (c *chooser) contradicted(turns [][2]float64) error {
	long := [][2]float64{{c.long[0].time, c.long[1].time}}
	if contradicts(long, turns) == agrees {
		return nil
	}
	var again [2]float64
	for _, side := range []int{1, 0} {
		_, res, err := c.alone(side, operationsOf(c.benchtime, c.long[side].time), "")
		if err != nil {
			return err
		}
		again[side] = costsOf(res).time
	}
	if contradicts(append(long, again), turns) != confirmed {
		return nil
	}
	return refuse("something in it happens too seldom for short turns: a long run does not take as long as they do (%v and %v, an operation)", round(again[0]), round(again[1]))
}
