package stat

import (
	"math"
	"slices"

	"github.com/aclements/go-moremath/stats"
)

// A Stratified computes the Mann-Whitney test within blocks of consecutive
// rounds, whose statistics are added up: van Elteren, "On the combination of
// independent two-sample tests of Wilcoxon", Bulletin of the International
// Statistical Institute 37 (1960), with equal weights. A sample is held only
// against those of its own block, so what drifts from block to block cancels.
// With a single block it is the test of benchstat.
//
// The null distribution is exact, given the ties. A Stratified keeps the
// distributions that it met. Its zero value is ready; it must not be used by
// several goroutines at once.
type Stratified struct {
	Block int // rounds of a block; 0 makes one block of all

	untied map[string]*nullSum
	tied   map[string][]float64 // of 2U of one block, by the sizes of its groups of ties
	loaded strata
	groups []int        // scratch: sizes of the groups of equal values of one block
	key    []byte       // scratch
	odd    [][]float64  // scratch: distributions of the blocks with ties
	sum    [2][]float64 // scratch: convolutions
}

// Load takes the pairs to be tested, in the order of their rounds.
func (s *Stratified) Load(pairs []Pair) { s.loaded.load(pairs, s.Block) }

// Tails tests whether head lies above base by shift, in the unit of the values. Without
// any pair both tails are 1.
func (s *Stratified) Tails(shift float64) Tails {
	in, w, first := &s.loaded, 0, 0
	s.odd = s.odd[:0]
	for _, n := range in.sizes {
		a, b := in.a[first:first+n], in.b[first:first+n]
		w += s.merge(a, b, shift)
		if len(s.groups) < 2*n && (len(in.sizes) > 1 || n <= stats.MannWhitneyTiesExactLimit) {
			s.odd = append(s.odd, s.tiedBlock(n))
		}
		first += n
	}
	top := 2 * in.pairs() // of 2W
	if len(in.sizes) == 1 && in.sizes[0] > s.exactLimit(in.sizes[0]) {
		return normalTails(float64(w), in.sizes[0], s.groups)
	}
	if len(s.odd) == 0 {
		lower := s.null(in.sizes).lower
		return Tails{Up: lower[top-w], Down: lower[w]}
	}
	// The smaller tail is summed, the other one is the rest and where it starts.
	k := min(w, top-w)
	p := s.convolved(k)
	small := sumUpTo(p, k)
	large := min(1, 1-small+p[k])
	if w == k {
		return Tails{Up: large, Down: small}
	}
	return Tails{Up: small, Down: large}
}

// exactLimit is the size up to which benchmath takes the exact distribution
// of a single block, whose ties were just collected.
func (s *Stratified) exactLimit(n int) int {
	if len(s.groups) < 2*n {
		return stats.MannWhitneyTiesExactLimit
	}
	return stats.MannWhitneyExactLimit
}

// merge returns twice the number of pairs with b-shift > a, of two sorted
// blocks, a tie counting half, and leaves in s.groups the sizes of the groups
// of equal values of the union.
func (s *Stratified) merge(a, b []float64, shift float64) (twice int) {
	s.groups = s.groups[:0]
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		v := math.Inf(1)
		if i < len(a) {
			v = a[i]
		}
		if j < len(b) {
			v = min(v, b[j]-shift)
		}
		below, i0, j0 := i, i, j
		for i < len(a) && a[i] == v {
			i++
		}
		for j < len(b) && b[j]-shift == v {
			j++
		}
		twice += (j - j0) * (2*below + i - i0)
		s.groups = append(s.groups, i-i0+j-j0)
	}
	return twice
}

// convolved returns the distribution of the sum over the loaded blocks, of
// which those with ties are in s.odd, up to last.
func (s *Stratified) convolved(last int) []float64 {
	// All but the tied blocks have one of the cached distributions. Blocks of
	// one size are alike, so it matters only how many of a size are left.
	rest := slices.Clone(s.loaded.sizes)
	for _, p := range s.odd {
		size := int(math.Round(math.Sqrt(float64(len(p)-1) / 2)))
		k := slices.Index(rest, size)
		rest = slices.Delete(rest, k, k+1)
	}
	p := s.null(rest).p
	for i, q := range s.odd {
		s.sum[i%2] = convolve(s.sum[i%2], p, q, last)
		p = s.sum[i%2]
	}
	return p
}

func sumUpTo(p []float64, k int) float64 {
	sum := 0.0
	for _, v := range p[:k+1] {
		sum += v
	}
	return min(1, sum)
}

// normalTails is the normal approximation that benchmath takes for one block
// of n pairs beyond its exact limits: corrected for ties and continuity.
func normalTails(w float64, n int, groups []int) Tails {
	ties := 0.0
	for _, g := range groups {
		t := float64(g)
		ties += t*t*t - t
	}
	nn, all := float64(n)*float64(n), float64(2*n)
	sigma := math.Sqrt(nn * (all + 1 - ties/(all*(all-1))) / 12)
	if sigma == 0 {
		return Tails{1, 1} // all samples are equal
	}
	over := w/2 - nn/2
	tail := func(x float64) float64 { return math.Erfc((x-0.5)/sigma/math.Sqrt2) / 2 } // P(U-mean >= x)
	return Tails{Up: tail(over), Down: tail(-over)}
}

// rank returns the largest k for which the k-th smallest and the k-th largest
// difference of the loaded blocks each bound the shift with an error of at
// most tail, 0 if not even the extremes do. It is exact for continuous values
// and errs on the safe side with ties.
func (s *Stratified) rank(tail float64) int {
	lower := s.null(s.loaded.sizes).lower
	k := 0
	for 2*k < len(lower) && 2*k <= s.loaded.pairs() && lower[2*k] <= tail {
		k++
	}
	return k
}

// Interval returns the Hodges-Lehmann estimate of the loaded blocks, the
// median difference, and the interval that is the dual of the test, which errs
// on each side with a chance of at most tail; it is infinite with too few rounds.
func (s *Stratified) Interval(tail float64) Shift {
	d := s.loaded.differences()
	out := Shift{Lo: math.Inf(-1), Hi: math.Inf(1), Absolute: true}
	if len(d) == 0 {
		return out
	}
	out.Center = d[(len(d)-1)/2] + (d[len(d)/2]-d[(len(d)-1)/2])/2
	if k := s.rank(tail); k > 0 {
		out.Lo, out.Hi = d[k-1], d[len(d)-k]
	}
	return out
}

// Strata are the samples of one series by block.
type strata struct {
	a, b  []float64 // of base and head, sorted within each block
	sizes []int     // of the blocks: samples a side
	diffs []float64
}

func (in *strata) load(pairs []Pair, block int) {
	in.a, in.b, in.sizes, in.diffs = in.a[:0], in.b[:0], in.sizes[:0], in.diffs[:0]
	if block <= 0 {
		block = max(len(pairs), 1)
	}
	for of := range slices.Chunk(pairs, block) {
		first := len(in.a)
		for _, p := range of {
			if p.counts() {
				in.a, in.b = append(in.a, p.Base), append(in.b, p.Head)
			}
		}
		if n := len(in.a) - first; n > 0 {
			sortBlock(in.a[first:])
			sortBlock(in.b[first:])
			in.sizes = append(in.sizes, n)
		}
	}
}

// pairs is the number of pairs of samples within the blocks, the largest value
// of the statistic.
func (in *strata) pairs() int {
	n := 0
	for _, k := range in.sizes {
		n += k * k
	}
	return n
}

// differences returns all differences of a head and a base sample within a
// block, sorted. They stay valid until the next load.
func (in *strata) differences() []float64 {
	if len(in.diffs) > 0 {
		return in.diffs
	}
	first := 0
	for _, n := range in.sizes {
		for _, b := range in.b[first : first+n] {
			for _, a := range in.a[first : first+n] {
				in.diffs = append(in.diffs, b-a)
			}
		}
		first += n
	}
	slices.Sort(in.diffs)
	return in.diffs
}

// sortBlock is an insertion sort, the fastest for five values.
func sortBlock(v []float64) {
	if len(v) > 12 {
		slices.Sort(v)
		return
	}
	for i := 1; i < len(v); i++ {
		x, j := v[i], i
		for ; j > 0 && v[j-1] > x; j-- {
			v[j] = v[j-1]
		}
		v[j] = x
	}
}

// blockRounds is how many consecutive rounds are held against each other. Fewer
// would follow a drift more closely and need more rounds to prove anything.
const blockRounds = 5

// TwoSided returns the two-sided p, which benchmath calls P.
func (t Tails) TwoSided() float64 { return min(1, 2*min(t.Up, t.Down)) }
