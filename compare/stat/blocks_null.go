package stat

import (
	"math"
	"slices"
)

// A nullSum is the distribution of 2W, twice the sum of the Mann-Whitney
// statistics of some blocks, if all orders within a block are equally likely.
// It is symmetric, because a block has as many samples of one side as of the
// other.
type nullSum struct {
	p     []float64 // p[k] = P(2W = k)
	lower []float64 // lower[k] = P(2W <= k)
}

// null returns the distribution for blocks of these sizes without ties.
func (s *Stratified) null(sizes []int) *nullSum {
	s.key = appendKey(s.key[:0], sizes)
	if have, ok := s.untied[string(s.key)]; ok {
		return have
	}
	key := string(s.key)
	p := []float64{1}
	if n := len(sizes); n > 0 {
		last := twiceU(sizes[n-1], slices.Repeat([]int{1}, 2*sizes[n-1]))
		p = last
		if n > 1 {
			p = convolve(nil, s.null(sizes[:n-1]).p, last, math.MaxInt)
		}
	}
	out := &nullSum{p: p, lower: make([]float64, len(p))}
	sum := 0.0
	for k, v := range p {
		sum += v
		out.lower[k] = min(1, sum)
	}
	if s.untied == nil {
		s.untied = map[string]*nullSum{}
	}
	s.untied[key] = out
	return out
}

// tiedBlock returns the distribution of 2U of n against n samples whose ties
// are in s.groups.
func (s *Stratified) tiedBlock(n int) []float64 {
	s.key = appendKey(s.key[:0], s.groups)
	if have, ok := s.tied[string(s.key)]; ok {
		return have
	}
	if s.tied == nil || len(s.tied) > 4096 { // large blocks have no end of patterns
		s.tied = map[string][]float64{}
	}
	p := twiceU(n, s.groups)
	s.tied[string(s.key)] = p
	return p
}

func appendKey(key []byte, counts []int) []byte {
	for _, n := range counts {
		key = append(key, byte(n), byte(n>>8))
	}
	return key
}

// twiceU returns P(2U = k) for n against n values that fall into groups of
// equal values of these sizes: Klotz, "The Wilcoxon, Ties, and the Computer",
// JASA 61 (1966). It deals the groups to both sides, from the smallest values
// up, counting in how many ways i values of the second side give 2U so far.
func twiceU(n int, groups []int) []float64 {
	top := 2 * n * n
	ways := make([][]float64, n+1)
	for i := range ways {
		ways[i] = make([]float64, top+1)
	}
	ways[0][0] = 1
	seen := 0
	for _, t := range groups {
		// From the most values of the second side down, so that ways[i-r] is
		// still what it was before this group.
		for i := min(n, seen+t); i >= 0; i-- {
			to := ways[i]
			for r := max(1, i-seen); r <= min(t, i); r++ { // r = 0 stays where it is
				from := i - r
				below := seen - from // values of the first side under this group
				if below > n {
					continue // too few values are left for the second side
				}
				up, c := r*(2*below+t-r), choose(t, r)
				for k, v := range ways[from][:min(2*from*below, top-up)+1] {
					if v != 0 {
						to[k+up] += c * v
					}
				}
			}
		}
		seen += t
	}
	out := ways[n]
	all := choose(2*n, n)
	for k := range out {
		out[k] /= all
	}
	return out
}

// choose is the binomial coefficient.
func choose(n, k int) float64 {
	c := 1.0
	for i := 1; i <= min(k, n-k); i++ {
		c *= float64(n-i+1) / float64(i)
	}
	return c
}

// convolve returns the distribution of the sum of two independent counts up to
// last, in the memory of dst where that is enough.
func convolve(dst, p, q []float64, last int) []float64 {
	n := min(len(p)+len(q)-2, last) + 1
	dst = slices.Grow(dst[:0], n)[:n]
	clear(dst)
	if len(q) > len(p) {
		p, q = q, p
	}
	for j, w := range q[:min(len(q), n)] {
		if w == 0 {
			continue
		}
		to := dst[j:]
		for i, v := range p[:min(len(p), len(to))] {
			to[i] += w * v
		}
	}
	return dst
}

// LeastP is the smallest p that the test can give after this many
// rounds, of which those count that were measured: all of head lies above base.
func (s *Stratified) LeastP(rounds int, measured func(round int) bool) float64 {
	p := 1.0
	for first := 1; first <= rounds; first += blockRounds {
		n := 0
		for r := first; r < first+blockRounds && r <= rounds; r++ {
			if measured(r) {
				n++
			}
		}
		p /= choose(2*n, n)
	}
	return p
}
