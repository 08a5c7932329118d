package compare

import (
	"cmp"
	"math"
	"slices"
)

// Defaults of a [Search], chosen by simulation (compare/simulate): more
// certainty costs pairs, smaller batches cost builds.
const (
	BisectCertainty = 0.97 // probability at which a culprit is named
	BisectBatch     = 4    // pairs measured before the next commit is chosen
	BisectBuildCost = 5    // of building a commit, in pairs, where nobody measured it
)

// An Observation is one pair of a bisection: two commits measured back to back.
// Commits are positions on the line that is searched, 0 the known-good one.
type Observation struct {
	Base, Head int
	LogRatio   float64 // ln(head/base)
}

// A Search looks for the one commit of a line at which a benchmark changed,
// from noisy pairs. Positions are 0, the known-good commit, to n, the known-bad
// one; the culprit is one of 1..n, and all commits from it on have the change.
//
// It keeps the joint distribution of the culprit, the size of the change and the
// noise. A pair has the density .95 N(0,s) + .05 N(0,6s) around what the culprit
// and the size say, so that a sample which was disturbed counts for little. The
// size has a flat prior around what the end points gave, the noise a flat one in
// its logarithm; both are summed over grids. What is measured next is where the
// probability that the culprit lies before it is nearest to one half, as in
// probabilistic bisection (Horstein, IEEE Transactions on Information Theory 9,
// 1963), for the cost of measuring it.
//
// Everything is a function of what was added, in whatever order.
type Search struct {
	// BuildCost is what building a commit costs, in pairs. Default BisectBuildCost.
	BuildCost float64

	prior    []float64 // weights of 0..n; 0 is no candidate
	pairs    []Observation
	apart    []ApartLevel
	barred   []bool // commits that cannot be measured
	built    []bool // commits that cost no build any more
	lo, hi   int    // the culprit is one of lo+1..hi
	answer   *Posterior
	deltas   []float64
	scales   []float64
	terms    []float64 // scratch: weights by size, scale and culprit
	steps    []float64 // scratch: differences along the line
	residual []float64 // scratch
}

// NewSearch returns the search among n candidates. Prior has a weight for each
// of the commits 1..n, in this order; nil means equal ones. A weight of 0 says
// that the commit cannot be the culprit, because its program is its parent's.
func NewSearch(n int, prior []float64) *Search {
	s := &Search{BuildCost: BisectBuildCost, prior: make([]float64, n+1), barred: make([]bool, n+1), built: make([]bool, n+1), hi: n}
	for i := 1; i <= n; i++ {
		s.prior[i] = 1
		if prior != nil {
			s.prior[i] = prior[i-1]
		}
	}
	s.built[0], s.built[n] = true, true
	return s
}

// Add adds pairs. Both commits count as built.
func (s *Search) Add(pairs ...Observation) {
	for _, p := range pairs {
		s.built[p.Base], s.built[p.Head] = true, true
	}
	s.pairs, s.answer = append(s.pairs, pairs...), nil
}

// Skip says that a commit cannot be measured. It may still be the culprit, and
// then nothing can tell it from the next commit that can be measured.
func (s *Search) Skip(commit int) { s.barred[commit], s.answer = true, nil }

// Same says that two commits have the same program, so that none of those after
// the first, up to the second, is the culprit.
func (s *Search) Same(first, second int) {
	for i := first + 1; i <= second; i++ {
		s.prior[i] = 0
	}
	s.answer = nil
}

// Known says for certain on which side of the change a commit is, as exact
// counts do.
func (s *Search) Known(commit int, bad bool) {
	if bad {
		s.hi = min(s.hi, commit)
	} else {
		s.lo = max(s.lo, commit)
	}
	s.built[commit], s.answer = true, nil
}

// A Candidate is what of a line cannot be told apart: a commit that can be
// measured, and those before it, up to the next measurable one, that cannot.
type Candidate struct {
	First, Last int // all commits First..Last; Last is the one that can be measured
	P           float64
}

// A Posterior is what a search knows.
type Posterior struct {
	// Culprit has the probability of each commit 0..n. It is nil when what was
	// found out contradicts itself: no commit can be the culprit.
	Culprit []float64
	// Candidates are what of that can be told apart, the likeliest first.
	Candidates []Candidate
	// Size is the change as a fraction, with an interval of 95 %; as a logarithm
	// it is Log. Noise is the standard deviation of the logarithm of a pair.
	Size  Shift
	Log   float64
	Noise float64
}

// Credible returns the likeliest candidates that together have at least the
// probability p.
func (p *Posterior) Credible(probability float64) []Candidate {
	sum := 0.0
	for i, s := range p.Candidates {
		if sum += s.P; sum >= probability-1e-12 {
			return p.Candidates[:i+1]
		}
	}
	return p.Candidates
}

// Before returns the probability that the culprit is the commit or one before it:
// that the commit is bad.
func (p *Posterior) Before(commit int) float64 {
	sum := 0.0
	for _, v := range p.Culprit[:commit+1] {
		sum += v
	}
	return min(1, sum)
}

// Next returns the commit to be measured next against a known one, and false when
// the likeliest candidate has at least the given probability or when nothing is left
// that could tell more.
func (s *Search) Next(certainty float64) (commit int, ok bool) {
	p := s.Posterior()
	if len(p.Candidates) == 0 || p.Candidates[0].P >= certainty {
		return 0, false
	}
	best, before := 0.0, 0.0
	for i := 1; i < len(p.Culprit)-1; i++ {
		before += p.Culprit[i]
		if s.barred[i] {
			continue
		}
		cost := float64(BisectBatch)
		if !s.built[i] {
			cost += s.BuildCost
		}
		// To a hair: of equally good ones the first.
		if gain := entropy(before) / cost; gain > best*(1+1e-9) && before > 1e-9 && before < 1-1e-9 {
			best, commit = gain, i
		}
	}
	return commit, commit > 0
}

// entropy is that of a coin with this probability.
func entropy(p float64) float64 {
	if p <= 0 || p >= 1 {
		return 0
	}
	return -p*math.Log(p) - (1-p)*math.Log1p(-p)
}

// candidates gathers the commits that cannot be told apart.
func (s *Search) candidates(culprit []float64) []Candidate {
	var out []Candidate
	first := 1
	for i := 1; i < len(culprit); i++ {
		if s.barred[i] && i < len(culprit)-1 {
			continue
		}
		sum := 0.0
		for _, p := range culprit[first : i+1] {
			sum += p
		}
		if sum > 0 {
			out = append(out, Candidate{first, i, sum})
		}
		first = i + 1
	}
	slices.SortStableFunc(out, func(a, b Candidate) int { return cmp.Compare(b.P, a.P) })
	return out
}
