package slicing

import (
	"math"
	"math/rand/v2"
	"slices"
)

const (
	// sharper is what another estimator's deviation must be of Sum's to be preferred: it does not see
	// everything. Of what Quiet does not see it is known that others did it.
	sharper, sharperQuiet = 0.5, 0.9

	// probeLeaning is the chance for a whole probe, as leaning is for a round.
	probeLeaning = 0.05
)

// Pick picks the estimator from the slices of a probe: All where some take longer by the benchmark's own
// doing, else the sharpest, of which Sum sees most. owed says of a slice what of its time others
// owe it, at most: how long it waited for a CPU, by operation as the times are. threshold is the
// smallest difference that matters, as a share.
func Pick(times, owed [][2]float64, threshold float64) Estimator {
	r := ratiosOf(times)
	if len(r.values) < leastPairs {
		return Sum
	}
	if r.ownDoing(times, owed) {
		return All
	}
	unsure := deviation(Sum, times)
	best, least := Sum, unsure
	for _, e := range []Estimator{Trimmed, Median, Quiet} {
		most := sharper * unsure
		if e == Quiet {
			if !explained(times, owed, threshold) {
				continue
			}
			most = sharperQuiet * unsure
		}
		// One that says something else than Sum does not see something.
		if math.Abs(e.value(times)-Sum.value(times)) > 3*unsure {
			continue
		}
		if d := deviation(e, times); d < min(least, most) {
			best, least = e, d
		}
	}
	return best
}

// explained reports whether nearly all by which slices of either side took longer than the quickest is time
// that they waited for a CPU, and whether the rest is about the same on both sides: what happens in some
// slices only, to one side, is no more than half of the difference that matters.
func explained(times, owed [][2]float64, threshold float64) bool {
	const nearly = 0.9
	var rest [2]float64
	for side := range rest {
		var v []float64
		for _, t := range times {
			v = append(v, t[side])
		}
		slices.Sort(v)
		quick := v[len(v)/10]
		late := 0.0
		for i, t := range times {
			late += max(0, t[side]-quick)
			rest[side] += max(0, t[side]-quick-owed[i][side])
		}
		if late == 0 || rest[side] > (1-nearly)*late {
			return false
		}
		rest[side] /= quick * float64(len(times))
	}
	return math.Abs(rest[1]-rest[0]) < threshold/2
}

// ownDoing reports whether pairs whose ratio is off are so by what the benchmark does: nearly all
// to one side, or all by about the same, as a flush or a collection takes; and that in both halves of
// the slices, which are of two pairs of processes. The host may disturb the CPU of one process for a
// while, but not the same side's again. Those that waited for a CPU for as long as they were late do not
// count.
func (r ratios) ownDoing(times, owed [][2]float64) bool {
	const least, leastEach, equal = 6, 2, 0.15
	usual := [2]float64{typical(times, 0), typical(times, 1)}
	var size []float64
	var halves [2]ratios
	sizes := [2]int{}
	for i, x := range r.values {
		half := 0
		if r.index[i] >= len(times)/2 {
			half = 1
		}
		if d := x - r.middle; math.Abs(d) > r.limit() {
			late := 0
			if d > 0 {
				late = 1
			}
			if at := r.index[i]; times[at][late]-usual[late] <= owed[at][late] {
				continue
			}
			size = append(size, math.Abs(d))
			sizes[half]++
		}
		halves[half].values = append(halves[half].values, x)
	}
	var lower, higher [2]int
	for half, h := range halves {
		h.middle, h.spread = r.middle, r.spread
		lower[half], higher[half] = h.off()
	}
	if signTest(lower[0]+lower[1], higher[0]+higher[1]) < probeLeaning && max(min(lower[0], lower[1]), min(higher[0], higher[1])) >= leastEach {
		return true
	}
	if len(size) < least || min(sizes[0], sizes[1]) < leastEach {
		return false
	}
	middle := middleOf(deviations(size, 0))
	return normalMAD*middleOf(deviations(size, middle)) < equal*middle
}

// typical is the median of a side's times.
func typical(times [][2]float64, side int) float64 {
	var v []float64
	for _, t := range times {
		v = append(v, t[side])
	}
	slices.Sort(v)
	return middleOf(v)
}

// deviation is the standard deviation of an estimator's value in rounds of as many slices as usual,
// drawn from those of a probe again and again (Efron 1979).
func deviation(e Estimator, times [][2]float64) float64 {
	const rounds = 200
	rng := rand.New(rand.NewPCG(1, 2)) // the same rounds for each estimator
	drawn := make([][2]float64, usualSlices)
	sum, squares, n := 0.0, 0.0, 0.0
	for range rounds {
		for i := range drawn {
			drawn[i] = times[rng.IntN(len(times))]
		}
		if x := e.value(drawn); !math.IsNaN(x) {
			sum, squares, n = sum+x, squares+x*x, n+1
		}
	}
	mean := sum / n
	return math.Sqrt(max(0, squares/n-mean*mean))
}

// value is the log ratio of the two values of a round of such times, NaN without any.
func (e Estimator) value(times [][2]float64) float64 {
	sides := e.Times(times)
	return math.Log(sides[1]) - math.Log(sides[0])
}
