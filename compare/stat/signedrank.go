package stat

import (
	"math"
	"slices"
)

// A SignedRank is Wilcoxon's signed-rank test of the differences of pairs: Wilcoxon,
// "Individual comparisons by ranking methods", Biometrics Bulletin 1 (1945). Where a fair
// coin decided in each round which side was measured first, and the sides behave the same,
// the sign of each difference is the coin's, whatever the machine did; so the p is exact
// whatever the noise, given the sizes of the differences: ties share their mean rank, and a
// difference of 0 keeps its rank and counts against what is tested.
//
// What both sides of a round share, such as a machine that is busy for a minute, cancels.
//
// The zero value is ready; it must not be used by several goroutines at once.
type SignedRank struct {
	diffs  []float64 // head - base of the pairs that count
	walsh  []float64 // of diffs, sorted; empty until asked for
	sizes  []sized   // scratch
	ranks  []int     // scratch: twice the ranks, ascending
	counts []float64 // scratch: of the subsets of the ranks, by their sum
	lower  map[int][]float64
}

// A sized difference is its size, and its sign.
type sized struct {
	size float64
	sign int
}

// Load takes the pairs to be tested.
func (s *SignedRank) Load(pairs []Pair) {
	s.diffs, s.walsh = s.diffs[:0], s.walsh[:0]
	for _, p := range pairs {
		if p.counts() {
			s.diffs = append(s.diffs, p.Head-p.Base)
		}
	}
}

// Tails tests whether head lies above base by shift. Without any pair both tails are 1.
func (s *SignedRank) Tails(shift float64) Tails {
	s.sizes = s.sizes[:0]
	for _, d := range s.diffs {
		x := d - shift
		s.sizes = append(s.sizes, sized{math.Abs(x), signOf(x)})
	}
	slices.SortFunc(s.sizes, func(a, b sized) int {
		switch {
		case a.size < b.size:
			return -1
		case a.size > b.size:
			return 1
		}
		return 0
	})
	s.ranks = s.ranks[:0]
	up, down := 0, 0 // twice the sums of the ranks of what lies above, and below
	for i := 0; i < len(s.sizes); {
		j := i
		for j < len(s.sizes) && s.sizes[j].size == s.sizes[i].size {
			j++
		}
		for _, x := range s.sizes[i:j] {
			s.ranks = append(s.ranks, i+j+1)
			switch x.sign {
			case +1:
				up += i + j + 1
			case -1:
				down += i + j + 1
			}
		}
		i = j
	}
	return Tails{Up: s.atLeast(up), Down: s.atLeast(down)}
}

func signOf(x float64) int {
	switch {
	case x > 0:
		return +1
	case x < 0:
		return -1
	}
	return 0
}

// atLeast returns the chance that ranks with fair signs add up to twice that much or more.
func (s *SignedRank) atLeast(twice int) float64 {
	total := 0
	for _, r := range s.ranks {
		total += r
	}
	// By symmetry, that the ranks that are left out add up to the rest or less.
	p := 0.0
	for _, c := range s.subsets(s.ranks, total-twice) {
		p += c
	}
	return min(1, p)
}

// subsets returns the chance of each sum up to last that a random subset of the ranks has:
// the distribution of the statistic, by the usual recursion over the ranks. Chances and not
// numbers of subsets, of which a float64 holds no more than 2^1023.
func (s *SignedRank) subsets(ranks []int, last int) []float64 {
	if last < 0 {
		return nil
	}
	s.counts = slices.Grow(s.counts[:0], last+1)[:last+1]
	clear(s.counts)
	s.counts[0] = 1
	top := 0
	for _, r := range ranks {
		top = min(top+r, last)
		for k := top; k >= 0; k-- {
			c := s.counts[k] / 2
			if k >= r {
				c += s.counts[k-r] / 2
			}
			s.counts[k] = c
		}
	}
	return s.counts
}

// rank returns the largest k for which the k-th smallest and the k-th largest Walsh average
// each bound the shift with an error of at most tail, 0 if not even the extremes do. It is
// exact without ties and errs on the safe side with them.
func (s *SignedRank) rank(tail float64) int {
	n := len(s.diffs)
	lower, ok := s.lower[n]
	if !ok {
		ranks := make([]int, n)
		for i := range ranks {
			ranks[i] = i + 1
		}
		lower = slices.Clone(s.subsets(ranks, n*(n+1)/2))
		for i := 1; i < len(lower); i++ {
			lower[i] += lower[i-1]
		}
		if s.lower == nil {
			s.lower = map[int][]float64{}
		}
		s.lower[n] = lower
	}
	k := 0
	for 2*k < len(lower) && lower[k] <= tail {
		k++
	}
	return k
}

// Interval returns the Hodges-Lehmann estimate, the median of the Walsh averages (the means
// of each two differences, and of each with itself), and the interval that is the dual of the
// test: Hodges and Lehmann, Annals of Mathematical Statistics 34 (1963).
func (s *SignedRank) Interval(tail float64) Shift {
	out := Shift{Lo: math.Inf(-1), Hi: math.Inf(1), Absolute: true}
	if len(s.diffs) == 0 {
		return out
	}
	w := s.averages()
	out.Center = w[(len(w)-1)/2] + (w[len(w)/2]-w[(len(w)-1)/2])/2
	if k := s.rank(tail); k > 0 {
		out.Lo, out.Hi = w[k-1], w[len(w)-k]
	}
	return out
}

// averages returns the Walsh averages, sorted. They stay valid until the next Load.
func (s *SignedRank) averages() []float64 {
	if len(s.walsh) == 0 {
		for i, a := range s.diffs {
			for _, b := range s.diffs[i:] {
				s.walsh = append(s.walsh, a+(b-a)/2)
			}
		}
		slices.Sort(s.walsh)
	}
	return s.walsh
}

// Spread is the standard deviation of the differences, as their median absolute deviation
// from the median has it for normal ones: a round that is off does not count for more.
func (s *SignedRank) Spread() float64 {
	return deviation(s.diffs)
}

// efficiency is that of the test for normal differences, 3/π, against the t-test.
const efficiency = 3 / math.Pi

// Required returns how many rounds show a shift with a chance of 99 %, of differences with
// this spread, where the test may err with the chance level; but no fewer than can. A shift of 0 or less can never be shown.
func (s *SignedRank) Required(spread, level, shift float64) int {
	if shift <= 0 {
		return maxNeed
	}
	z := NormalQuantile(level) + NormalQuantile(0.01)
	n := math.Ceil(spread * spread * z * z / (shift * shift * efficiency))
	return int(min(max(n, math.Ceil(-math.Log2(level))), maxNeed))
}

// LeastP is the smallest one-sided p that so many rounds can give: that all differences
// have one sign.
func (s *SignedRank) LeastP(rounds int, measured func(round int) bool) float64 {
	n := 0
	for r := 1; r <= rounds; r++ {
		if measured(r) {
			n++
		}
	}
	return math.Ldexp(1, -n)
}
