package steps

import (
	"math"
	"slices"

	"github.com/perftrack/perftrack/compare/stat"
)

// A ramp is the model of a drift. The logarithm stays at from up to run begin, changes linearly
// until run over, and then stays at to. A ramp replaces neighbouring levels over the runs from
// first up to but not including end.
//
// A step means that one commit changed the benchmark; a drift means that many commits changed it a
// little, or that the machine did. The partition's criterion decides between the two: the sum of
// the losses plus a penalty for each change. A ramp has two changes, because the slope changes at
// each end. The penalty for a change at an unknown place, about 3 ln n in units of twice the
// log-likelihood, is from Zhang and Siegmund, "A modified Bayes information criterion", Biometrics
// 63 (2007). Fearnhead, Maidstone and Letchford, "Detecting changes in slope with an L0 penalty",
// Journal of Computational and Graphical Statistics 28 (2019), use a similar one for changes of
// slope. A ramp pays for both ends even if it starts at the beginning of the line or has not ended
// yet, so steps win a tie. A ramp can only replace levels of a partition, so a line without a
// change has no drift. The partition's scale accounts for all correlation of the noise, however
// small, because correlated noise looks like drifts. Drifts that stand out clearly from the noise
// are found earlier; see slide.go.
type ramp struct {
	first, end  int
	begin, over int
	from, to    float64
	curve       []float64 // for a slide, the logarithms of runs begin to over; nil for a straight line
}

// leastDrift is the smallest number of runs in a ramp. Shorter changes are better shown as steps,
// because a bisection can find the commit of a step.
const leastDrift = 10

// at returns the ramp's logarithm at run t.
func (r *ramp) at(t int) float64 {
	if r.curve != nil && t >= r.begin && t <= r.over {
		return r.curve[t-r.begin]
	}
	share := float64(t-r.begin) / float64(r.over-r.begin)
	return r.from + (r.to-r.from)*min(1, max(0, share))
}

// fill sets logs[t] to the logarithm of a straight ramp for each of its runs t.
func (r *ramp) fill(logs []float64) {
	before, slope, after := logs[r.first:r.begin], logs[r.begin:r.over], logs[r.over:r.end]
	for t := range before {
		before[t] = r.from
	}
	for t := range slope {
		slope[t] = r.from + (r.to-r.from)*(float64(t)/float64(r.over-r.begin))
	}
	to := r.at(r.over)
	for t := range after {
		after[t] = to
	}
}

// ramps returns the drifts of a line, in order. The search is greedy: it first takes the ramp that
// improves the criterion most, then searches before and after it.
func (l *Line) ramps() []*ramp {
	starts := l.drift.levels()
	if len(starts) < 2 {
		return nil
	}
	d := l.newDrifts(starts)
	return d.between(0, len(starts))
}

// drifts searches for the ramps in a line.
type drifts struct {
	*Line
	bounds  []int        // where each level begins, and where the last one ends
	centers []float64    // median of each level
	sums    [][6]float64 // sums of 1, t, t², y, ty, y² over all runs before each run, without outliers
	logs    []float64    // the expected logarithm of each run
	again   *drifts      // the same without the outliers from a ramp, or nil
	places  []place      // most promising first
}

// longestDrift is the largest number of levels one ramp may replace.
const longestDrift = 40

func (l *Line) newDrifts(starts []int) *drifts {
	n := len(l.y)
	d := &drifts{Line: l, bounds: append(slices.Clone(starts), n), sums: make([][6]float64, n+1), logs: make([]float64, n)}
	for i, first := range starts {
		level := d.logs[first:d.bounds[i+1]]
		copy(level, l.y[first:])
		center := stat.Median(level)
		for t := range level {
			level[t] = center
		}
		d.centers = append(d.centers, center)
	}
	d.sum(0, n, d.logs)
	d.places = d.promising()
	return d
}

// sum fills in the sums over runs first to end-1, without those far from their expected logarithm.
// The sums up to run first must be known.
func (d *drifts) sum(first, end int, expected []float64) {
	sums := d.sums[first]
	for t := first; t < end; t++ {
		if y, x := d.y[t]-d.y[0], float64(t); math.Abs(d.y[t]-expected[t]) <= boundedAt*d.drift.noise.deviation {
			sums[0]++
			sums[1] += x
			sums[2] += x * x
			sums[3] += y
			sums[4] += x * y
			sums[5] += y * y
		}
		d.sums[t+1] = sums
	}
}

// between returns the ramps to replace some of the levels a to b-1.
func (d *drifts) between(a, b int) []*ramp {
	var best *place
	gain := 0.0
	for k := range d.places {
		p := &d.places[k]
		if p.most < gain {
			break
		}
		if p.i < a || p.j >= b {
			continue
		}
		if d.fill(p); p.gain > gain || best != nil && p.gain == gain && p.before(best) {
			best, gain = p, p.gain
		}
	}
	if best == nil {
		return nil
	}
	return append(append(d.between(a, best.i), best.ramp), d.between(best.j+1, b)...)
}

// fill sets p.ramp to the best ramp from level i to level j, and p.gain to the cost that the ramp
// saves.
func (d *drifts) fill(p *place) {
	if p.filled {
		return
	}
	p.filled = true
	steps := d.stepsCost(p.i, p.j)
	r := d.fit(p.i, p.j)
	if limit := steps + d.drift.noise.penalty; r == nil || d.cost(r, limit) > limit {
		return
	}
	if d.again == nil {
		d.again = &drifts{Line: d.Line, bounds: d.bounds, sums: make([][6]float64, len(d.sums))}
	}
	// An outlier from its level need not be an outlier from the ramp.
	d.again.sums[r.first] = [6]float64{}
	d.again.sum(r.first, r.end, d.logs)
	if r = d.again.fit(p.i, p.j); r != nil && math.Abs(r.to-r.from) >= d.least {
		p.ramp, p.gain = r, steps-d.cost(r, steps)
	}
}

// stepsCost returns the cost of levels i to j.
func (d *drifts) stepsCost(i, j int) float64 {
	return d.drift.best[d.bounds[j+1]] - d.drift.best[d.bounds[i]]
}

// cost returns the cost of the ramp: a level, two changes of slope, and the losses of the runs. If
// the cost exceeds limit, it returns some number above limit. It fills in the expected logarithms.
func (d *drifts) cost(r *ramp, limit float64) float64 {
	r.fill(d.logs)
	cost := 3 * d.drift.noise.penalty
	for t := r.first; t < r.end && cost <= limit; t++ {
		z := (d.y[t] - d.logs[t]) / d.drift.noise.deviation
		if z *= z; z < boundedAt*boundedAt {
			cost += z
		} else {
			cost += boundedAt * boundedAt
		}
	}
	return cost
}

// fit returns the least-squares ramp from level i to level j, found by a search on increasingly
// fine grids, or nil if no ramp is long enough.
func (d *drifts) fit(i, j int) *ramp {
	first, end := d.bounds[i], d.bounds[j+1]
	limits := [2][2]int{{first, d.bounds[i+1] - 1}, {d.bounds[j], end - 1}}
	best, least := ramp{}, math.Inf(1)
	all := d.sums[end]
	for k, before := range d.sums[first] {
		all[k] -= before
	}
	try := func(begin, over int) {
		if over-begin < leastDrift || begin < limits[0][0] || begin > limits[0][1] || over < limits[1][0] || over > limits[1][1] {
			return
		}
		r := ramp{first: first, end: end, begin: begin, over: over}
		loss, ok := d.solve(&r, &all)
		loss /= d.drift.noise.deviation * d.drift.noise.deviation
		// A level before or after the ramp costs as much as any other level.
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
	if math.IsInf(least, 1) {
		return nil
	}
	for max(steps[0], steps[1]) > 1 {
		steps = [2]int{max(1, steps[0]/2), max(1, steps[1]/2)}
		middle := best
		for _, a := range []int{-steps[0], 0, steps[0]} {
			for _, b := range []int{-steps[1], 0, steps[1]} {
				try(middle.begin+a, middle.over+b)
			}
		}
	}
	return &best
}

// solve fits the levels of a ramp with given ends, and returns the sum of the squared residuals. At
// each run, the value of the ramp is (1-w)·from + w·to, where w is between 0 and 1. all holds the
// sums over all runs of the ramp.
func (d *drifts) solve(r *ramp, all *[6]float64) (loss float64, ok bool) {
	length, begin := float64(r.over-r.begin), float64(r.begin)
	a, b, end := &d.sums[r.begin], &d.sums[r.over], &d.sums[r.end]
	n, t, y := b[0]-a[0], b[1]-a[1], b[3]-a[3] // sums over the slope
	w := (t-begin*n)/length + (end[0] - b[0])
	ww := ((b[2]-a[2])-2*begin*t+begin*begin*n)/(length*length) + (end[0] - b[0])
	wy := ((b[4]-a[4])-begin*y)/length + (end[3] - b[3])
	// These are the normal equations for the weights 1-w and w.
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
