package stat

import (
	"cmp"
	"math"
	"slices"
	"sort"
)

// A SignedRank is Wilcoxon's signed-rank test of the differences within pairs (Wilcoxon,
// "Individual comparisons by ranking methods", Biometrics Bulletin 1, 1945). If a fair coin decides
// the order of the sides in each round and both sides behave the same, the sign of each difference
// depends on the coin alone, not on the machine. So p is exact for any noise, given the sizes of
// the differences. Ties share their mean rank, and a difference of 0 keeps its rank and counts
// against the tested direction.
//
// Noise on both sides of a round, as from a machine busy for a minute, cancels out. A difference
// may be infinite, in which case it ranks above every finite one.
//
// The zero value is ready for use by one goroutine at a time.
type SignedRank struct {
	// Capped limits each rank to two fifths of the number of differences, rounded up, so extreme
	// rounds weigh no more than the rest. It must be set before any difference is known.
	Capped bool

	diffs   []float64 // head - base for pairs with both values
	walsh   []float64 // Walsh averages of diffs, sorted; empty until needed
	opposed int       // number of averages of +Inf and -Inf, omitted by walsh
	sizes   []sized   // scratch
	ranks   []int     // scratch: twice the ranks, ascending
	null    nullRanks
}

// Tails contains the probabilities that a statistic is at least as far up, and at least as far
// down, as the measured one if head is above base by exactly the tested shift.
type Tails struct{ Up, Down float64 }

// A sized value is a difference split into its size and its sign.
type sized struct {
	size float64
	sign int
}

// Load sets the pairs to test.
func (s *SignedRank) Load(pairs []Pair) {
	s.begin()
	for _, p := range pairs {
		if p.counts() {
			s.add(difference0(p.Base, p.Head))
		}
	}
}

func (s *SignedRank) begin() { s.diffs, s.walsh, s.opposed = s.diffs[:0], s.walsh[:0], 0 }

func (s *SignedRank) add(difference float64) { s.diffs = append(s.diffs, difference) }

// difference0 returns head - base, or 0 if they are equal, even if both are infinite.
func difference0(base, head float64) float64 {
	if base == head {
		return 0
	}
	return head - base
}

// Tails tests the hypothesis that head is above base by exactly shift. Without any pairs, both
// tails are 1.
func (s *SignedRank) Tails(shift float64) Tails {
	up, down, tied := s.statistic(shift)
	return s.null.tails(s.ranks, up, down, tied, s.top(len(s.diffs)))
}

// statistic stores twice the ranks of the differences from shift in s.ranks. It returns twice the
// rank sums of the differences above and below, and whether any of them are tied.
func (s *SignedRank) statistic(shift float64) (up, down int, tied bool) {
	s.sizes = s.sizes[:0]
	for _, d := range s.diffs {
		x := d - shift
		s.sizes = append(s.sizes, sized{math.Abs(x), Sign(x)})
	}
	slices.SortFunc(s.sizes, func(a, b sized) int { return cmp.Compare(a.size, b.size) })
	s.ranks = s.ranks[:0]
	top := 2 * s.top(len(s.sizes))
	for i := 0; i < len(s.sizes); {
		j := i + 1
		for j < len(s.sizes) && s.sizes[j].size == s.sizes[i].size {
			j++
		}
		rank := min(i+j+1, top)
		tied = tied || j-i > 1
		for _, x := range s.sizes[i:j] {
			s.ranks = append(s.ranks, rank)
			switch x.sign {
			case +1:
				up += rank
			case -1:
				down += rank
			}
		}
		i = j
	}
	return up, down, tied
}

// top returns the largest rank among n differences.
func (s *SignedRank) top(n int) int {
	if s.Capped {
		return int(math.Ceil(cappedAt * float64(n)))
	}
	return n
}

// cappedAt is the largest rank if ranks are capped, as a fraction of their number. Among the
// simulated values, it costs the least if no round is extreme and gains the most if a tenth of the
// rounds are.
const cappedAt = 0.4

// Interval returns the Hodges-Lehmann estimate and the interval dual to the test (Hodges and
// Lehmann, Annals of Mathematical Statistics 34, 1963). The estimate is the median of the Walsh
// averages: the means of every two differences and of each difference with itself. Each end errs
// with a probability of at most tail; if there are too few pairs, it is infinite. With capped
// ranks, the estimate is the shift at which the differences above and below have equal weight.
func (s *SignedRank) Interval(tail float64) Shift {
	out := Shift{Lo: math.Inf(-1), Hi: math.Inf(1), Absolute: true}
	n := len(s.diffs)
	if n == 0 {
		return out
	}
	w := s.averages()
	if s.Capped {
		return s.inverted(w, s.null.extreme(n, s.top(n), tail))
	}
	out.Center = middle(w[(len(w)-1)/2], w[len(w)/2])
	// An average of +Inf and -Inf could be anything, so it counts as below the lower end and as
	// above the upper one.
	if k := s.null.extreme(n, n, tail) - s.opposed; k > 0 {
		out.Lo, out.Hi = w[k-1], w[len(w)-k]
	}
	return out
}

// middle returns the mean of two values, which may be infinite. The mean of opposite infinities is
// 0.
func middle(a, b float64) float64 {
	switch {
	case a == b:
		return a
	case math.IsInf(a, 0) && b == -a:
		return 0
	case math.IsInf(a, 0) || math.IsInf(b, 0):
		return a + b
	}
	return a + (b-a)/2
}

// averages returns the sorted Walsh averages. They stay valid until the next Load.
func (s *SignedRank) averages() []float64 {
	if len(s.walsh) > 0 {
		return s.walsh
	}
	for i, a := range s.diffs {
		for _, b := range s.diffs[i:] {
			if math.IsInf(a, 0) && b == -a {
				s.opposed++
				continue
			}
			s.walsh = append(s.walsh, middle(a, b))
		}
	}
	slices.Sort(s.walsh)
	return s.walsh
}

// inverted returns the interval of all shifts for which neither of the two capped rank sums (above
// and below) is one of the largest possible sums. extreme is the number of sums that count as the
// largest. Both rank sums are monotonic in the shift and change only at the Walsh averages w.
func (s *SignedRank) inverted(w []float64, extreme int) Shift {
	w = slices.Compact(w)
	s.walsh = w
	total := 0
	for i := range s.diffs {
		total += min(i+1, s.top(len(s.diffs)))
	}
	lower := func(twice int) float64 { // from there on, the sum above is less than twice/2
		return w[sort.Search(len(w)-1, func(i int) bool {
			return 2*s.least(between(w[i], w[i+1]), +1) < twice
		})]
	}
	upper := func(twice int) float64 { // up to there, the sum below is less than twice/2
		return w[sort.Search(len(w)-1, func(i int) bool {
			return 2*s.least(between(w[i], w[i+1]), -1) >= twice
		})]
	}
	out := Shift{Lo: math.Inf(-1), Hi: math.Inf(1), Absolute: true}
	out.Center = middle(upper(total), lower(total))
	if extreme > 0 {
		c := 2 * (total - (extreme - 1))
		out.Lo, out.Hi = lower(c), upper(c)
	}
	return out
}

// least returns the rank sum of the differences from shift with the given sign. Ties are broken to
// make the sum as small as possible: differences with this sign come first among those of equal
// size. Under fair coins, the sum never exceeds the one in which ties are broken by number, so the
// probability that it is extreme is no larger than without ties. The mean ranks of
// [SignedRank.statistic] lack this property: once capped, the ranks of a tied group that straddles
// the cap add up to more.
func (s *SignedRank) least(shift float64, sign int) (sum int) {
	s.sizes = s.sizes[:0]
	for _, d := range s.diffs {
		x := d - shift
		s.sizes = append(s.sizes, sized{math.Abs(x), Sign(x)})
	}
	slices.SortFunc(s.sizes, func(a, b sized) int {
		return cmp.Or(cmp.Compare(a.size, b.size), sign*cmp.Compare(b.sign, a.sign))
	})
	top := s.top(len(s.sizes))
	for i, x := range s.sizes {
		if x.sign == sign {
			sum += min(i+1, top)
		}
	}
	return sum
}

// between returns a finite value between a and b. Both may be infinite.
func between(a, b float64) float64 {
	switch {
	case math.IsInf(a, -1) && math.IsInf(b, 1):
		return 0
	case math.IsInf(a, -1):
		return -1 - 2*math.Abs(b)
	case math.IsInf(b, 1):
		return 1 + 2*math.Abs(a)
	}
	return middle(a, b)
}

// Spread returns the standard deviation of the finite differences, see [Scatter]. It is 0 (unknown)
// if there are fewer than 4 or if most differences are infinite.
func (s *SignedRank) Spread() float64 {
	var finite []float64
	for _, d := range s.diffs {
		if !math.IsInf(d, 0) {
			finite = append(finite, d)
		}
	}
	if len(finite) < spreadRounds || 2*len(finite) < len(s.diffs) {
		return 0
	}
	return Scatter(finite)
}

// spreadRounds is the number of rounds needed to estimate how much they scatter.
const spreadRounds = 4

// efficiency returns the efficiency of the test for normal differences, relative to the t-test. It
// is 3/π, or 0.80 with capped ranks. The difference is the cost of capping if no round is extreme.
func efficiency(capped bool) float64 {
	if capped {
		return 0.80
	}
	return 3 / math.Pi
}

// requiredPairs returns the number of rounds needed to prove a shift with a probability of 99 %,
// for differences with this spread and a test that errs with probability level. It is at least the
// smallest number of rounds that can prove any shift. A shift of 0 or less can never be proven, so
// the result is then maxNeed.
func requiredPairs(spread float64, capped bool, level, shift float64) int {
	if !(shift > 0) || !(level > 0) {
		return maxNeed
	}
	z := NormalQuantile(level) + NormalQuantile(0.01)
	n := math.Ceil(spread * spread * z * z / (shift * shift * efficiency(capped)))
	return int(min(max(n, math.Ceil(-math.Log2(level))), maxNeed))
}

// leastP returns the smallest possible one-sided p for n rounds. It occurs if all differences have
// the same sign.
func leastP(n int) float64 { return math.Ldexp(1, -n) }
