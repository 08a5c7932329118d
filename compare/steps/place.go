package steps

import (
	"cmp"
	"slices"
)

// A place is a stretch of levels, i to j, that a ramp may replace.
type place struct {
	i, j   int
	most   float64 // the ramp saves no more cost than this
	filled bool    // ramp and gain are known
	ramp   *ramp   // nil if no ramp is cheaper than the levels
	gain   float64 // the cost that the ramp saves
}

// before reports whether p begins before q or, if both begin with the same level, ends before it.
func (p *place) before(q *place) bool { return p.i < q.i || p.i == q.i && p.j < q.j }

// promising returns the places whose ramps may save cost, most promising first. Trying all places
// would take most of the time in a line with many levels.
//
// Two properties of a ramp bound its cost from below. A ramp is straight except at its two ends, so
// a block of runs costs at least as much as the best straight line through it or one outlier. A
// ramp never changes direction. If a level is below the previous one, a rising ramp is either below
// the middle between them in all of the first level or above it in all of the second one.
func (d *drifts) promising() []place {
	k := len(d.bounds) - 1
	straight := make([]float64, k)
	for m := range straight {
		straight[m] = d.straight(d.bounds[m], d.bounds[m+1])
	}
	against := d.against()
	var out []place
	for i := range k - 1 {
		least := straight[i] - 2*boundedAt*boundedAt
		var extra [2]struct{ with, without float64 } // for a rising and a falling ramp
		for j := i + 1; j < k && j-i < longestDrift; j++ {
			least += straight[j]
			for up := range extra {
				e := &extra[up]
				more := against[j][up] - straight[j-1] - straight[j]
				e.with, e.without = e.without+max(0, more), max(e.with, e.without)
			}
			cost := least + min(max(extra[0].with, extra[0].without), max(extra[1].with, extra[1].without))
			if most := d.stepsCost(i, j) - 3*d.drift.noise.penalty - max(0, cost) + 1e-6; most > 0 {
				out = append(out, place{i: i, j: j, most: most})
			}
		}
	}
	slices.SortFunc(out, func(p, q place) int { return cmp.Compare(q.most, p.most) })
	return out
}

// straightRuns is the number of runs in a block. Larger blocks would contain more noise than the
// one outlier that their cost is limited to.
const straightRuns = 10

// straight returns a lower bound for the loss of runs first to end-1 if the ramp has no end between
// them: the sum of the losses of straight lines through blocks of them.
func (d *drifts) straight(first, end int) (loss float64) {
	for ; first < end; first += straightRuns {
		var y, xy, yy float64
		block := d.y[first:min(end, first+straightRuns)]
		middle := float64(len(block)-1) / 2
		for i, v := range block {
			v = (v - block[0]) / d.drift.noise.deviation
			y, xy, yy = y+v, xy+v*(float64(i)-middle), yy+v*v
		}
		n := float64(len(block))
		residual := yy - y*y/n
		if n > 2 {
			residual -= xy * xy * 12 / (n * (n*n - 1))
		} else {
			residual = 0
		}
		loss += min(boundedAt*boundedAt, max(0, residual))
	}
	return loss
}

// against returns, for each level but the first, two lower bounds for the loss of the level and the
// previous one: if a rising ramp covers both, and if a falling ramp covers both. The bounds are 0
// for the direction in which the level differs from the previous one.
func (d *drifts) against() [][2]float64 {
	out := make([][2]float64, len(d.centers))
	for m := 1; m < len(out); m++ {
		before, center := d.centers[m-1], d.centers[m]
		up := 0 // a rising ramp is against a lower level
		if center > before {
			up = 1
		}
		middle, sign := (before+center)/2, float64(1-2*up)
		beyond := func(m int, sign float64) (loss float64) {
			for _, y := range d.y[d.bounds[m]:d.bounds[m+1]] {
				z := max(0, sign*(y-middle)/d.drift.noise.deviation)
				loss += min(z*z, boundedAt*boundedAt)
			}
			return loss
		}
		out[m][up] = min(beyond(m-1, sign), beyond(m, -sign))
	}
	return out
}
