package stat

import "slices"

// A RankSum computes the two-sided p of the Mann-Whitney test, as shown by benchstat, from exact
// counts. The zero value is ready for use. A RankSum reuses its buffers from test to test.
//
// The method of counting is from Klotz (JASA 61, 1966): all assignments of the sorted values to the
// two samples are built up from one group of ties to the next. Half of the groups are counted from
// below and half from above, so that both halves stay small.
type RankSum struct {
	groups       []int // sizes of the groups of tied values, in ascending order
	lower, upper assignments
}

// mostUntied and mostTied are the largest samples with an exact distribution in benchstat.
const mostUntied, mostTied = 50, 25

// P returns p for two sorted samples. ok is false if there are only one or two different values, or
// if benchstat would not use the exact distribution.
func (r *RankSum) P(a, b []float64) (p float64, ok bool) {
	twoU := r.rank(a, b)
	most := mostTied
	if len(r.groups) == len(a)+len(b) {
		most = mostUntied
	}
	if len(r.groups) < 3 || max(len(a), len(b)) > most || min(len(a), len(b)) == 0 {
		return 0, false
	}
	if twoU == len(a)*len(b) {
		return 1, true
	}
	return 2 * r.cdf(len(a), min(twoU, 2*len(a)*len(b)-twoU)), true
}

// rank fills r.groups and returns twice the Mann-Whitney U of a: the number of pairs in which a has
// the larger value, where ties count half.
func (r *RankSum) rank(a, b []float64) (twoU int) {
	r.groups = r.groups[:0]
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		v, ofA, ofB := 0., 0, 0
		if j == len(b) || i < len(a) && a[i] < b[j] {
			v = a[i]
		} else {
			v = b[j]
		}
		for ; i < len(a) && a[i] == v; i++ {
			ofA++
		}
		for ; j < len(b) && b[j] == v; j++ {
			ofB++
		}
		twoU += ofA * (2*(j-ofB) + ofB)
		r.groups = append(r.groups, ofA+ofB)
	}
	return twoU
}

// cdf returns the probability that twice the U of n values chosen at random from all values is at
// most limit.
func (r *RankSum) cdf(n, limit int) float64 {
	total := 0
	for _, size := range r.groups {
		total += size
	}
	split, below := 0, 0 // groups and values in the lower half
	for below < total/2 {
		below += r.groups[split]
		split++
	}
	r.lower.count(r.groups[:split], n, limit)
	r.upper.count(r.groups[split:], n, limit)
	hits := 0.
	for k := max(0, n-(total-below)); k <= min(n, below); k++ {
		rest := limit - 2*(below-k)*(n-k) // each chosen value above beats each other value below
		if rest < 0 {
			continue
		}
		low, up := r.lower.ways[k], r.upper.ways[n-k]
		for i := 1; i < len(up); i++ {
			up[i] += up[i-1]
		}
		for u, ways := range low[:min(len(low), rest+1)] {
			hits += ways * up[min(rest-u, len(up)-1)]
		}
	}
	return hits / choose(total, n)
}

// An assignments has the number of ways to choose k of some values, by k and by twice the U of the
// chosen values among them, up to limit.
type assignments struct {
	ways  [][]float64
	limit int
}

// count counts the ways to choose at most n = most values from groups of ties.
func (s *assignments) count(groups []int, most, limit int) {
	total := 0
	for _, size := range groups {
		total += size
	}
	s.limit = limit
	s.ways = slices.Grow(s.ways[:0], total+1)[:total+1]
	for k := range s.ways {
		n := s.sums(k, total)
		s.ways[k] = slices.Grow(s.ways[k][:0], n)[:n]
		clear(s.ways[k])
	}
	s.ways[0][0] = 1
	before := 0
	for _, size := range groups {
		for k := min(before+size, most); k > 0; k-- {
			for ofLast := max(1, k-before); ofLast <= min(size, k); ofLast++ {
				s.take(k, ofLast, before, size)
			}
		}
		before += size
	}
}

// sums returns the number of sums, from 0 up, that twice the U of k of n values can have.
func (s *assignments) sums(k, n int) int { return min(2*k*(n-k), s.limit) + 1 }

// take adds the ways to choose k values: ofLast from the last group of ties, of the given size, and
// the others from the values before it.
func (s *assignments) take(k, ofLast, before, size int) {
	rest := k - ofLast
	shift := ofLast * (2*(before-rest) + size - ofLast)
	to := s.ways[k]
	if shift >= len(to) {
		return
	}
	to = to[shift:]
	from := s.ways[rest][:s.sums(rest, before)]
	from = from[:min(len(from), len(to))]
	ways := choose(size, ofLast)
	for u, w := range from {
		to[u] += ways * w
	}
}

// choose returns the number of ways to choose k of n values.
func choose(n, k int) float64 {
	c := 1.
	for i := range k {
		c = c * float64(n-i) / float64(i+1)
	}
	return c
}
