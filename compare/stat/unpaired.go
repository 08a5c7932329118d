package stat

import (
	"math"
	"slices"

	"github.com/aclements/go-moremath/stats"
)

// A Shift is by how much the head side lies above the base side, with its
// interval: as a relative change (0.05 is 5 %), or in the values' own unit where
// Absolute is set. The interval is infinite when there are too few samples.
type Shift struct {
	Center, Lo, Hi float64
	Absolute       bool
}

// Around moves the center of a shift to what the values shown differ by, and widens
// the interval to hold it.
func (s Shift) Around(center float64) Shift {
	s.Center, s.Lo, s.Hi = center, min(s.Lo, center), max(s.Hi, center)
	return s
}

// An Unpaired estimates shifts between unpaired samples, with intervals of
// one error rate. It remembers the ranks, which depend on nothing but the sample sizes.
type Unpaired struct {
	Tail  float64 // chance that the true shift lies beyond one given end
	ranks map[[2]int]int
}

// Estimate is the Hodges-Lehmann estimate, the median of all differences of a
// head and a base sample, with the interval that is the dual of the two-sided
// Mann-Whitney test: Hollander, Wolfe, Chicken, Nonparametric Statistical
// Methods, 3rd ed., sections 4.2 and 4.3. The interval takes the distribution
// without ties, as the model behind it, a shift of continuous values, has none.
func (s *Unpaired) Estimate(b, h []float64) Shift {
	b, h = slices.Sorted(slices.Values(b)), slices.Sorted(slices.Values(h))
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

// Relative estimates the shift of the logarithms, as a relative change, with
// the largest change either way that its interval leaves possible. There is
// none where a value is 0.
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

// Logs returns the logarithms of values, if all of them are above 0.
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

// rank returns the largest k for which the k-th smallest and the k-th largest
// difference bound the shift at the error rate, 0 if not even the extremes do.
func (s *Unpaired) rank(n1, n2 int) int {
	key := [2]int{n1, n2}
	k, ok := s.ranks[key]
	if ok {
		return k
	}
	lo, hi := 0, n1*n2/2 // P(U <= k-1) <= tail holds at lo, taking k=0 as true
	for lo < hi {
		mid := (lo + hi + 1) / 2
		if uCDF(n1, n2, mid-1) <= s.Tail {
			lo = mid
		} else {
			hi = mid - 1
		}
	}
	if s.ranks == nil {
		s.ranks = map[[2]int]int{}
	}
	s.ranks[key] = lo
	return lo
}

// LeastUnpairedP is the smallest p that samples of these sizes can give: of all on one side of all others.
func LeastUnpairedP(n1, n2 int) float64 { return min(1, 2*uCDF(n1, n2, 0)) }

// uCDF is the chance of a Mann-Whitney statistic of at most u when nothing
// changed: exact up to the sizes where benchmath is, then normal with its
// continuity correction.
func uCDF(n1, n2, u int) float64 {
	if max(n1, n2) <= stats.MannWhitneyExactLimit {
		return stats.UDist{N1: n1, N2: n2}.CDF(float64(u))
	}
	mean := float64(n1*n2) / 2
	sigma := math.Sqrt(float64(n1*n2) * float64(n1+n2+1) / 12)
	return stats.StdNormal.CDF((float64(u) + 0.5 - mean) / sigma)
}

// difference returns the k-th smallest (from 1) of all h[j]-b[i]; both are
// sorted. It bisects on the value and counts the pairs below, so that 10,000
// samples a side need no list of 100 million differences.
func difference(b, h []float64, k int) float64 {
	below := func(d float64) int { // pairs with h[j]-b[i] <= d
		n, j := 0, 0
		for i := range b {
			for j < len(h) && h[j]-b[i] <= d {
				j++
			}
			n += j
		}
		return n
	}
	lo, hi := h[0]-b[len(b)-1], h[len(h)-1]-b[0]
	if below(lo) >= k {
		return lo
	}
	for {
		mid := lo + (hi-lo)/2
		if mid <= lo || mid >= hi {
			return hi // the smallest float with k pairs at or below it is one of the differences
		}
		if below(mid) >= k {
			hi = mid
		} else {
			lo = mid
		}
	}
}
