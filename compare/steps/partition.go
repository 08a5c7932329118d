package steps

import (
	"math"
	"slices"
)

// A partition divides a series into levels: those that minimise the sum over all values of
// min((z-level)², K²), plus a penalty for each level. With this loss, the biweight loss, an outlier
// costs the same however far away it is, so one outlier does not start a new level, but several do.
// The values are in units of their noise.
//
// The minimum is exact. The partition keeps the lowest cost of the values so far as a function of
// the last level; this function consists of pieces of parabolas. Each new value adds its loss to
// the function. The result is combined with the cost of having begun a new level, as in Fearnhead
// and Rigaill, "Changepoint Detection in the Presence of Outliers", JASA 114 (2019), algorithm 1
// (R-FPOP), extended here by a minimum length of levels. Each value takes time proportional to the
// number of pieces, at most linear in the length of the series.
type partition struct {
	penalty float64
	z       []float64
	cut     []bool    // cut[t]: a level may begin at value t
	best    []float64 // best[t]: lowest cost of the first t values; infinite if they are too few for a level
	start   []int     // start[t]: where the last level of that partition begins
	tied    []bool    // tied[t]: another partition of the first t values may cost as little
}

const (
	boundedAt   = 3 // K
	leastLength = 3 // smallest number of runs in a level
	trimEvery   = 4 // trimming after each value costs more time than it saves
)

// newPartition returns the partition of the values z.
func newPartition(z []float64, cut []bool, penalty float64) *partition {
	p := emptyPartition(z, cut, penalty)
	p.find(true)
	if p.ambiguous() {
		p.find(false)
	}
	return p
}

func emptyPartition(z []float64, cut []bool, penalty float64) *partition {
	n := len(z)
	return &partition{penalty: penalty, z: z, cut: cut, best: make([]float64, n+1), start: make([]int, n+1), tied: make([]bool, n+1)}
}

// find computes the partition of the first values, for all numbers of values. If trim is set, it
// keeps only those pieces of the function that may become part of the best partition. Where two
// partitions cost the same except for rounding, trimming may change which one is the best.
func (p *partition) find(trim bool) {
	s := search{partition: p, trim: trim}
	for t, z := range p.z {
		end, from := t+1, t+1-leastLength
		s.cost = add(s.cost, z)
		off := z - s.level
		atMost := p.best[t] + min(off*off, boundedAt*boundedAt) // the cost of the last best level with z
		limit := math.Inf(1)
		if trim && end < len(p.z) && p.cut[end] {
			limit = p.limit(atMost)
		}
		if from == 0 || from > 0 && p.cut[from] && p.best[from] < math.Inf(1) {
			s.begin(from, limit)
		}
		s.note(end, atMost)
		if end%trimEvery == 0 && limit < math.Inf(1) {
			s.cost = trimmed(s.cost, p.limit(p.best[end]))
		}
	}
}

// A search is the state of the search for a partition. It is separate from the partition to avoid
// write barriers when its slices change.
type search struct {
	*partition
	trim  bool    // see find
	level float64 // last level of the best partition so far
	cost  []piece // lowest cost of all values, as a function of the last level
	fresh []piece // the same for a level begun leastLength values ago
	spare []piece // memory for a part of the next cost
}

// limit returns the highest cost of a useful level after values with the given cost, if a new level
// may begin after them. Three values later, the new level costs less. Until then, the best level
// costs at most two outliers more than now.
func (p *partition) limit(best float64) float64 {
	return best + max(p.penalty, (leastLength-1)*boundedAt*boundedAt)
}

// note records the best last level for the first end values. Its cost is at most atMost.
func (s *search) note(end int, atMost float64) {
	best, second, at := math.Inf(1), math.Inf(1), 0
	for i := range s.cost {
		q := &s.cost[i]
		if q.low > atMost+q.margin(q) {
			continue
		}
		q.low = q.at(q.center())
		switch {
		case q.low < best:
			best, second, at = q.low, best, i
			atMost = min(atMost, best)
		case q.low < second:
			second = q.low
		}
	}
	if s.best[end] = best; len(s.cost) > 0 {
		q := &s.cost[at]
		s.level, s.start[end], s.tied[end] = q.center(), q.start, q.tied || second < best+q.margin(q)
	}
}

// begin lowers s.cost wherever it is cheaper to begin a level at value from, leastLength values
// ago. It may omit pieces costing more than limit.
func (s *search) begin(from int, limit float64) {
	cost := s.best[from] + s.penalty
	empty := piece{lo: math.Inf(-1), end: math.Inf(1), c: cost, low: cost, start: from, tied: !s.trim}
	f := append(s.fresh[:0], empty)
	if few := limit+empty.margin(&empty) < cost+boundedAt*boundedAt; few { // without outliers
		q := &f[0]
		for _, z := range s.z[from : from+leastLength] {
			q.lo, q.end, q.a, q.b, q.c = max(q.lo, z-boundedAt), min(q.end, z+boundedAt), q.a+1, q.b-2*z, q.c+z*z
		}
		if q.lo >= q.end {
			return
		}
	} else {
		for _, z := range s.z[from : from+leastLength] {
			f = add(f, z)
		}
	}
	s.fresh = f
	if f = trimmed(f, limit); len(f) == 0 {
		return
	}
	i, j := 0, len(s.cost) // the pieces overlapping f
	for i < j && s.cost[i].end <= f[0].lo {
		i++
	}
	for i < j && s.cost[j-1].lo >= f[len(f)-1].end {
		j--
	}
	s.spare = lower(s.spare[:0], s.cost[i:j], f, cost+leastLength*boundedAt*boundedAt)
	s.cost = slices.Replace(s.cost, i, j, s.spare...)
}

// levels returns where each level of the best partition begins. It returns nil if the series is too
// short for a level.
func (p *partition) levels() []int {
	if len(p.z) < leastLength {
		return nil
	}
	var out []int
	for t := len(p.z); t > 0; {
		t = p.start[t]
		out = append(out, t)
	}
	slices.Reverse(out)
	return out
}

// ambiguous reports whether another partition may cost as little as the best one.
func (p *partition) ambiguous() bool {
	if len(p.z) < leastLength {
		return false
	}
	for t := len(p.z); t > 0; t = p.start[t] {
		if p.tied[t] {
			return true
		}
	}
	return false
}
