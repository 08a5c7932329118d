package steps

import "math"

// A ramp is the model of a drift: the logarithm is constant up to run begin, at from,
// changes linearly up to run over, and is constant again, at to. It replaces neighbouring
// levels, which cover runs first to before end.
//
// A step says that a commit changed the benchmark; a drift, that many commits did so by
// a little, or that the machine changed. Which of them explains the runs better is decided
// by the criterion of the partition: the sum of the losses, plus a penalty for each
// change. A ramp has two changes, of the slope at both its ends. The penalty for a change
// at an unknown place, about 3 ln n in units of twice the log-likelihood, is that of Zhang
// and Siegmund, "A modified Bayes information criterion", Biometrics 63 (2007); Fearnhead,
// Maidstone and Letchford, "Detecting changes in slope with an L0 penalty", Journal of
// Computational and Graphical Statistics 28 (2019), use such a one for changes of slope.
// A ramp pays for both ends, even where it begins with the line or has not ended, so that
// steps win a tie. Only levels of a partition are replaced, so that a line without a
// change has no drift. The scale of that partition counts all correlation of the noise,
// however small, because correlated noise looks like drifts. What is plain beside the noise
// is found before: see slide.go.
type ramp struct {
	first, end  int
	begin, over int
	from, to    float64
	curve       []float64 // of a slide, the logarithms of runs begin to over; nil for a straight line
}

// leastDrift is the smallest number of runs of a ramp. A shorter one is better shown as
// steps, because each of them has a commit that can be searched for.
const leastDrift = 10

// at is the logarithm that the ramp fits to run t.
func (r *ramp) at(t int) float64 {
	if r.curve != nil && t >= r.begin && t <= r.over {
		return r.curve[t-r.begin]
	}
	share := float64(t-r.begin) / float64(r.over-r.begin)
	return r.from + (r.to-r.from)*min(1, max(0, share))
}

// ramps returns the drifts of a line, in order. They are found greedily: the one that
// improves the criterion most, then others before and after it.
func (l *Line) ramps() []*ramp {
	starts := l.drift.part.levels()
	if len(starts) < 2 {
		return nil
	}
	d := l.newDrifts(starts)
	return d.between(0, len(starts))
}

// drifts is the search for the ramps of a line.
type drifts struct {
	*Line
	bounds []int        // where the levels begin, and the last one ends
	sums   [][6]float64 // of 1, t, t², y, ty, y² over all runs before each, outliers left out
}

// longestDrift is the largest number of levels that one ramp replaces.
const longestDrift = 40

func (l *Line) newDrifts(starts []int) *drifts {
	d := &drifts{Line: l, bounds: append(append([]int(nil), starts...), len(l.y)), sums: make([][6]float64, len(l.y)+1)}
	for i := 1; i < len(d.bounds); i++ {
		level := l.span(d.bounds[i-1], d.bounds[i])
		d.sum(level.first, level.end, level.at)
	}
	return d
}

// sum fills in the sums over runs first to before end, without those that lie far off
// their expected value.
func (d *drifts) sum(first, end int, expected func(t int) float64) {
	for t := first; t < end; t++ {
		d.sums[t+1] = d.sums[t]
		if y, x := d.y[t]-d.y[0], float64(t); math.Abs(d.y[t]-expected(t)) <= boundedAt*d.drift.noise.deviation {
			for k, v := range [6]float64{1, x, x * x, y, x * y, y * y} {
				d.sums[t+1][k] += v
			}
		}
	}
}

// between returns the ramps that replace some of levels a to before b.
func (d *drifts) between(a, b int) []*ramp {
	var best *ramp
	at, gain := [2]int{}, 0.0
	for i := a; i < b-1; i++ {
		for j := i + 1; j < b && j-i < longestDrift; j++ {
			if r, g := d.instead(i, j); g > gain {
				best, at, gain = r, [2]int{i, j}, g
			}
		}
	}
	if best == nil {
		return nil
	}
	return append(append(d.between(a, at[0]), best), d.between(at[1]+1, b)...)
}

// instead returns the best ramp in place of levels i to j, which begins in the first of
// them and ends in the last, and by how much its cost is lower than theirs.
func (d *drifts) instead(i, j int) (*ramp, float64) {
	steps := d.drift.part.best[d.bounds[j+1]] - d.drift.part.best[d.bounds[i]]
	r := d.fit(i, j)
	if r == nil || d.cost(r) > steps+d.drift.noise.penalty {
		return nil, 0
	}
	// An outlier of its level may be none of the ramp.
	again := &drifts{Line: d.Line, bounds: d.bounds, sums: make([][6]float64, len(d.sums))}
	again.sum(r.first, r.end, r.at)
	if r = again.fit(i, j); r == nil || math.Abs(r.to-r.from) < d.least {
		return nil, 0
	}
	return r, steps - d.cost(r)
}

// cost is that of the ramp: a level, two changes of slope, and the losses of the runs.
func (d *drifts) cost(r *ramp) float64 {
	cost := 3 * d.drift.noise.penalty
	for t := r.first; t < r.end; t++ {
		z := (d.y[t] - r.at(t)) / d.drift.noise.deviation
		cost += min(z*z, boundedAt*boundedAt)
	}
	return cost
}

// fit returns the least-squares ramp that begins in level i and ends in level j, by a
// search on ever finer grids. It is nil if none is long enough.
func (d *drifts) fit(i, j int) *ramp {
	first, end := d.bounds[i], d.bounds[j+1]
	limits := [2][2]int{{first, d.bounds[i+1] - 1}, {d.bounds[j], end - 1}}
	var best *ramp
	least := math.Inf(1)
	try := func(begin, over int) {
		if over-begin < leastDrift || begin < limits[0][0] || begin > limits[0][1] || over < limits[1][0] || over > limits[1][1] {
			return
		}
		r := &ramp{first: first, end: end, begin: begin, over: over}
		loss, ok := d.solve(r)
		loss /= d.drift.noise.deviation * d.drift.noise.deviation
		// A level before or after it costs as much as any.
		if begin > first {
			loss += d.drift.noise.penalty
		}
		if over < end-1 {
			loss += d.drift.noise.penalty
		}
		if ok && loss < least {
			best, least = r, loss
		}
	}
	steps := [2]int{}
	for k, limit := range limits {
		steps[k] = max(1, (limit[1]-limit[0])/8)
	}
	for begin := limits[0][0]; begin <= limits[0][1]; begin += steps[0] {
		for over := limits[1][1]; over >= limits[1][0]; over -= steps[1] {
			try(begin, over)
		}
	}
	for best != nil && max(steps[0], steps[1]) > 1 {
		steps = [2]int{max(1, steps[0]/2), max(1, steps[1]/2)}
		middle := *best
		for _, a := range []int{-steps[0], 0, steps[0]} {
			for _, b := range []int{-steps[1], 0, steps[1]} {
				try(middle.begin+a, middle.over+b)
			}
		}
	}
	return best
}

// solve fits the levels of a ramp whose ends are given, and returns its sum of squares.
// At each run the ramp is (1-w) from + w to, with w from 0 to 1.
func (d *drifts) solve(r *ramp) (loss float64, ok bool) {
	sum := func(a, b int) (s [6]float64) {
		for k := range s {
			s[k] = d.sums[b][k] - d.sums[a][k]
		}
		return s
	}
	all, slope, tail := sum(r.first, r.end), sum(r.begin, r.over), sum(r.over, r.end)
	length, begin := float64(r.over-r.begin), float64(r.begin)
	w := (slope[1]-begin*slope[0])/length + tail[0]
	ww := (slope[2]-2*begin*slope[1]+begin*begin*slope[0])/(length*length) + tail[0]
	wy := (slope[4]-begin*slope[3])/length + tail[3]
	// The normal equations in the weights 1-w and w.
	aa, ab, bb := all[0]-2*w+ww, w-ww, ww
	ay, by := all[3]-wy, wy
	det := aa*bb - ab*ab
	if !(det > 1e-9*aa*bb) {
		return 0, false
	}
	from, to := (bb*ay-ab*by)/det, (aa*by-ab*ay)/det
	r.from, r.to = from+d.y[0], to+d.y[0]
	return all[5] - from*ay - to*by, true
}
