package stat

import (
	"math"
	"slices"
	"sync"
)

// A Shift is the change from base to head with its interval. It is relative (0.05 is 5 %) unless
// Absolute is set; then it is in the unit of the values. The interval is infinite if there are too
// few samples.
type Shift struct {
	Center, Lo, Hi float64
	Absolute       bool
}

// Around returns the shift with its center moved to center, the difference between the shown
// values. Its interval is widened to contain the new center.
func (s Shift) Around(center float64) Shift {
	s.Center, s.Lo, s.Hi = center, min(s.Lo, center), max(s.Hi, center)
	return s
}

// An Unpaired estimates shifts between unpaired samples, with intervals for one error rate. It
// caches the ranks by sample sizes and may be used by several goroutines.
type Unpaired struct {
	Tail  float64  // probability that the true shift lies beyond one given end
	ranks sync.Map // from [2]int to int
}

// Estimate returns the Hodges-Lehmann estimate, the median of all differences between a head and a
// base sample, with the interval dual to the two-sided Mann-Whitney test (Hollander, Wolfe,
// Chicken, Nonparametric Statistical Methods, 3rd ed., sections 4.2 and 4.3). The interval uses the
// distribution without ties, because the model, a shift of continuous values, has none.
func (s *Unpaired) Estimate(b, h []float64) Shift {
	b, h = slices.Clone(b), slices.Clone(h)
	slices.Sort(b)
	slices.Sort(h)
	all := len(b) * len(h)
	out := Shift{
		Center: (difference(b, h, (all+1)/2) + difference(b, h, all/2+1)) / 2,
		Lo:     math.Inf(-1), Hi: math.Inf(1), Absolute: true,
	}
	if k := s.rank(len(b), len(h)); k > 0 {
		out.Lo, out.Hi = difference(b, h, k), difference(b, h, all+1-k)
	}
	return out
}

// Side returns the sign of all shifts within the interval of Estimate, or 0 if some are negative and
// some positive. ok is false if the interval is infinite. It compares every pair of samples.
func (s *Unpaired) Side(b, h []float64) (sign int, ok bool) {
	k := s.rank(len(b), len(h))
	if k == 0 {
		return 0, false
	}
	up, down := 0, 0
	for _, x := range b {
		for _, y := range h {
			if y > x {
				up++
			}
			if y < x {
				down++
			}
		}
	}
	switch all := len(b) * len(h); {
	case all-up < k:
		return +1, true
	case all-down < k:
		return -1, true
	}
	return 0, true
}

// Relative estimates the shift of the logarithms and returns it as a relative change, together with
// the largest change in either direction within its interval. ok is false unless all values are
// above 0.
func (s *Unpaired) Relative(b, h []float64) (shift Shift, bound float64, ok bool) {
	lb, okb := Logs(b)
	lh, okh := Logs(h)
	if !okb || !okh {
		return Shift{}, 0, false
	}
	e := s.Estimate(lb, lh)
	bound = math.Expm1(max(-e.Lo, e.Hi, 0))
	if !math.IsInf(e.Lo, -1) {
		e.Lo = math.Expm1(e.Lo)
	}
	return Shift{Center: math.Expm1(e.Center), Lo: e.Lo, Hi: math.Expm1(e.Hi)}, bound, true
}

// Logs returns the logarithms of values; ok is false unless all of them are above 0.
func Logs(values []float64) (out []float64, ok bool) {
	out = make([]float64, len(values))
	for i, v := range values {
		if v <= 0 {
			return nil, false
		}
		out[i] = math.Log(v)
	}
	return out, true
}

// rank returns the largest k such that the k-th smallest and the k-th largest difference bound the
// shift at the error rate, or 0.
func (s *Unpaired) rank(n1, n2 int) int {
	key := [2]int{n1, n2}
	if k, ok := s.ranks.Load(key); ok {
		return k.(int)
	}
	k := uRank(n1, n2, s.Tail)
	s.ranks.Store(key, k)
	return k
}

// difference returns the k-th smallest (from 1) of all h[j]-b[i]; both slices must be sorted. It
// bisects on the value and counts the pairs at or below it, so that 10,000 samples per side do not
// need a list of 100 million differences. Once few differences are left, it sorts those.
func difference(b, h []float64, k int) float64 {
	const few = 32
	lo, hi := h[0]-b[len(b)-1], h[len(h)-1]-b[0]
	below, upTo := pairsUpTo(b, h, lo), len(b)*len(h) // pairs up to lo and up to hi
	if below >= k {
		return lo
	}
	for upTo-below > few {
		mid := lo + (hi-lo)/2
		if mid <= lo || mid >= hi {
			return hi // the smallest float with k pairs at or below it is one of the differences
		}
		if n := pairsUpTo(b, h, mid); n >= k {
			hi, upTo = mid, n
		} else {
			lo, below = mid, n
		}
	}
	var left [few]float64
	n, first, end := 0, 0, 0
	for _, x := range b {
		for first < len(h) && h[first]-x <= lo {
			first++
		}
		for end = max(end, first); end < len(h) && h[end]-x <= hi; end++ {
		}
		for _, y := range h[first:end] {
			left[n] = y - x
			n++
		}
	}
	slices.Sort(left[:n])
	return left[k-below-1]
}

// pairsUpTo counts the pairs with h[j]-b[i] <= d.
func pairsUpTo(b, h []float64, d float64) (n int) {
	j := 0
	for _, x := range b {
		for j < len(h) && h[j]-x <= d {
			j++
		}
		n += j
	}
	return n
}
