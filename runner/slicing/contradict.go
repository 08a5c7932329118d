package slicing

import (
	"math"
	"slices"
)

const (
	// contradictLeast is the smallest ratio between the times of a long sample and of slices that
	// counts as a contradiction. contradictLimit is the smallest distance between them, in standard
	// deviations of a slice.
	contradictLeast, contradictLimit = 1.5, 3
)

// contradicts reports whether, on one side, all long samples take longer per operation than the
// probe's slices. If so, some event needs more calls than a process with slices makes. Slow slices
// are included, because an event in some slices affects their [Mean] and is not a contradiction.
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

// contradicted refuses slices if long samples contradict them. It first compares the slices with
// the sample from the warm-up. If the sample contradicts them, contradicted measures two long
// counts of each side, in turns, and subtracts their waits for a CPU; these must contradict the
// slices, too. The benchmark is then measured in fresh processes, which run long enough to contain
// such rare events.
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
	return refuse("it does something too rarely for short turns: a long run takes longer", "%v instead of %v per operation", round(long[0][0]), round(long[0][1]))
}
