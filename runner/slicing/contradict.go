package slicing

import (
	"math"
	"slices"
)

const (
	// contradictLeast is the factor by which a long sample takes longer at least, and contradictLimit how many
	// standard deviations of a slice.
	contradictLeast, contradictLimit = 1.5, 3
)

// contradicts reports whether all of some long samples, base's and head's time per operation, take longer
// than the pairs of slices of a probe, on the same side: something happens every so many calls, and a
// process of slices makes fewer. All slices count, also those that are late: what they see now and then is
// in their [Mean], and is no contradiction.
func contradicts(long, turns [][2]float64) bool {
	var timed [][2]float64
	for i, r := range ratiosOf(turns) {
		if !math.IsNaN(r) {
			timed = append(timed, turns[i])
		}
	}
	if len(timed) < leastPairs || len(long) == 0 {
		return false
	}
	for side := range 2 {
		sum, logs := 0.0, []float64(nil)
		for _, t := range timed {
			sum += t[side]
			logs = append(logs, math.Log(t[side]))
		}
		slices.Sort(logs)
		spread := normalMAD * middleOf(deviations(logs, middleOf(logs)))
		limit := sum / float64(len(logs)) * math.Exp(max(math.Log(contradictLeast), contradictLimit*spread))
		if !slices.ContainsFunc(long, func(p [2]float64) bool { return !(p[side] > limit) }) {
			return true
		}
	}
	return false
}

// contradicted refuses slices of which long samples say something else: the one that the warm-up made, and if
// that does, two long counts of each side, in turns, without what these waited for a CPU. Samples long
// enough to contain what happens are to measure the benchmark, as fresh processes are.
func (c *chooser) contradicted(p probe) error {
	const counts = 2
	turns := p.own()
	if !contradicts([][2]float64{{c.long[0].time, c.long[1].time}}, turns) {
		return nil
	}
	n := operationsOf(c.benchtime, math.Sqrt(c.long[0].time*c.long[1].time))
	again, err := c.probe(c.plain, n, counts, false)
	if err != nil {
		return err
	}
	long := again.times()
	for i := range long {
		for side := range long[i] {
			long[i][side] -= again.sides[side][i].owed()
		}
	}
	if !contradicts(long, turns) {
		return nil
	}
	return refuse("something in it happens too seldom for short turns: a long run takes longer (%v and %v, an operation)", round(long[0][0]), round(long[0][1]))
}
