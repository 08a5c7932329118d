package stat

import (
	"cmp"
	"math"
	"slices"
	"sort"
)

// A SignedRank is Wilcoxon's signed-rank test of the differences of pairs: Wilcoxon,
// "Individual comparisons by ranking methods", Biometrics Bulletin 1 (1945). Where a fair
// coin decided in each round which side was measured first, and the sides behave the same,
// the sign of each difference is the coin's, whatever the machine did; so the p is exact
// whatever the noise, given the sizes of the differences: ties share their mean rank, and a
// difference of 0 keeps its rank and counts against what is tested.
//
// What both sides of a round share, such as a machine that is busy for a minute, cancels.
// A difference may be infinite: it ranks above every finite one.
//
// The zero value is ready; it must not be used by several goroutines at once.
type SignedRank struct {
	// Capped gives none more than the rank at two fifths of their number, rounded up: rounds
	// that are far off then weigh no more than others. Which it is must be settled before
	// any difference is known.
	Capped bool

	diffs   []float64 // head - base of the pairs that count
	walsh   []float64 // of diffs, sorted; empty until asked for
	opposed int       // averages of +Inf and -Inf, which are not in walsh
	sizes   []sized   // scratch
	ranks   []int     // scratch: twice the ranks, ascending
	null    nullRanks
}

// Tails are the chances, if head lay above base by exactly the shift that was
// tested, of a statistic at least as far up, and at least as far down.
type Tails struct{ Up, Down float64 }

// A sized difference is its size, and its sign.
type sized struct {
	size float64
	sign int
}

// Load takes the pairs to be tested.
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

// difference0 is by how much head lies above base: 0 if they are the same, infinite or not.
func difference0(base, head float64) float64 {
	if base == head {
		return 0
	}
	return head - base
}

// Tails tests whether head lies above base by shift. Without any pair both tails are 1.
func (s *SignedRank) Tails(shift float64) Tails {
	up, down, tied := s.statistic(shift)
	return s.null.tails(s.ranks, up, down, tied, s.top(len(s.diffs)))
}

// statistic leaves twice the ranks of the differences from shift in s.ranks. It returns twice
// the sums of those of what lies above and below, and whether any two share a rank.
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

// top is the largest rank of n differences.
func (s *SignedRank) top(n int) int {
	if s.Capped {
		return int(math.Ceil(cappedAt * float64(n)))
	}
	return n
}

// cappedAt is the part of all ranks that a capped one reaches: of the ones that were
// simulated it costs least where no round is off and gains most where a tenth are.
const cappedAt = 0.4

// Interval returns the Hodges-Lehmann estimate, the median of the Walsh averages (the means
// of each two differences, and of each with itself), and the interval that is the dual of the
// test: Hodges and Lehmann, Annals of Mathematical Statistics 34 (1963). Each end errs with a
// chance of at most tail; it is infinite with too few pairs. With capped ranks the estimate
// is the shift for which what lies above and below weighs the same.
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
	// An average of +Inf and -Inf could be anything: it counts as below the lower end and
	// as above the upper one.
	if k := s.null.extreme(n, n, tail) - s.opposed; k > 0 {
		out.Lo, out.Hi = w[k-1], w[len(w)-k]
	}
	return out
}

// middle of two values, of which either may be infinite: of both infinities it is 0.
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

// averages returns the Walsh averages, sorted. They stay valid until the next Load.
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

// inverted is the interval of all shifts at which the capped ranks of what lies above, and of
// what lies below, are not among so many of their largest sums. Either sum only falls, or only
// grows, with the shift, and changes nowhere but at the Walsh averages w.
func (s *SignedRank) inverted(w []float64, extreme int) Shift {
	w = slices.Compact(w)
	s.walsh = w
	total := 0
	for i := range s.diffs {
		total += min(i+1, s.top(len(s.diffs)))
	}
	lower := func(twice int) float64 { // from there on less than half of twice lies above
		return w[sort.Search(len(w)-1, func(i int) bool {
			return 2*s.least(between(w[i], w[i+1]), +1) < twice
		})]
	}
	upper := func(twice int) float64 { // up to there less than half of twice lies below
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

// least returns the smallest sum of ranks that the differences from shift with this sign have,
// however ties are broken: they come first among those of their size. Under fair coins it is
// never above the sum that ties broken by number have, and so has no larger a chance to be
// extreme than ranks without ties. The mean ranks of [SignedRank.statistic] have: capped, those
// of a group that straddles the cap add up to more.
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

// between is a finite value between two, of which either may be infinite.
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

// Spread is the standard deviation of the finite differences: see [Scatter]. It is 0 of fewer
// than 4, or where most are infinite: unknown.
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

// spreadRounds is how many rounds it takes to say how much they scatter.
const spreadRounds = 4

// efficiency is that of the test for normal differences against the t-test: 3/π, and with
// capped ranks 0.80, which is what these cost where no round is off.
func efficiency(capped bool) float64 {
	if capped {
		return 0.80
	}
	return 3 / math.Pi
}

// requiredPairs returns how many rounds show a shift with a chance of 99 %, of differences with
// this spread, where the test may err with the chance level; but no fewer than can. A shift
// of 0 or less can never be shown.
func requiredPairs(spread float64, capped bool, level, shift float64) int {
	if !(shift > 0) || !(level > 0) {
		return maxNeed
	}
	z := NormalQuantile(level) + NormalQuantile(0.01)
	n := math.Ceil(spread * spread * z * z / (shift * shift * efficiency(capped)))
	return int(min(max(n, math.Ceil(-math.Log2(level))), maxNeed))
}

// leastP is the smallest one-sided p that n rounds can give: that all differences have one
// sign.
func leastP(n int) float64 { return math.Ldexp(1, -n) }
