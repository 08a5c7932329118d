// Package search finds the commit of a line of commits at which a benchmark changed,
// from noisy measurements of pairs of them: the arithmetic of a bisection, without
// git and without benchmarks.
//
// A [Pair] is two commits that were measured back to back. [Search.Posterior] gives
// the probability of each commit, [Search.Next] what to measure next. Read search.go
// first, then posterior.go, which has the model. [Contrast] decides whether the two
// ends differ at all, [Step] whether one commit is good or bad, for git bisect run,
// where git chooses.
//
// The method is the probabilistic bisection of Horstein, "Sequential transmission
// using noiseless feedback", IEEE Transactions on Information Theory 9 (1963), with
// the cost of builds and pairs taken into account.
package search

import (
	"cmp"
	"math"
	"slices"

	"github.com/perftrack/perftrack/compare/stat"
)

// Defaults of a [Search], chosen by simulation (compare/internal/simulatetest/bisections): more
// certainty costs pairs, smaller batches cost builds.
const (
	Certainty = 0.97 // probability at which a culprit is named
	Batch     = 4    // pairs measured before the next commit is chosen
	BuildCost = 5    // cost of building a commit, in pairs, where nobody measured it
)

// A Pair is two commits measured back to back. Commits are positions on the line
// that is searched, 0 the known-good one.
type Pair struct {
	Base, Head int
	LogRatio   float64 // ln(head/base)
}

// A Search looks for the one commit of a line, the culprit, at which a benchmark
// changed. Positions are 0, the known-good commit, to n, the known-bad one; the
// culprit is one of 1..n, and all commits from it on have the change.
//
// It keeps the joint posterior distribution of the culprit, the size of the change
// and the noise. A pair has the density .95 N(0,s) + .05 N(0,6s) around the change
// that a culprit and a size predict, so that a disturbed sample counts for little.
// The size has a flat prior around the estimate from the two ends, the noise a flat
// prior in its logarithm; both are summed over grids. Next to be measured is the commit
// whose probability of being bad is nearest to one half, for the cost of measuring it.
//
// The results do not depend on the order in which measurements were added.
type Search struct {
	// BuildCost is the cost of building a commit, in pairs, [BuildCost] by default.
	BuildCost float64

	prior    []float64 // weights of 0..n; 0 is no candidate
	pairs    []Pair
	unpaired []Level
	barred   []bool // commits that cannot be measured
	built    []bool // commits that are built already
	lo, hi   int    // the culprit is one of lo+1..hi
	answer   *Posterior
	deltas   []float64
	scales   []float64
	terms    []float64 // scratch: weights by size, scale and culprit
	steps    []float64 // scratch: differences along the line
	residual []float64 // scratch
}

// New returns a search among n candidates. Prior has the weights of commits 1..n;
// nil gives all the same. A weight of 0 rules a commit out, as one whose program is
// the same as its parent's.
func New(n int, prior []float64) *Search {
	s := &Search{BuildCost: BuildCost, prior: make([]float64, n+1), barred: make([]bool, n+1), built: make([]bool, n+1), hi: n}
	for i := 1; i <= n; i++ {
		s.prior[i] = 1
		if prior != nil {
			s.prior[i] = prior[i-1]
		}
	}
	s.built[0], s.built[n] = true, true
	return s
}

// Add adds pairs. Their commits are built from then on.
func (s *Search) Add(pairs ...Pair) {
	for _, p := range pairs {
		s.built[p.Base], s.built[p.Head] = true, true
	}
	s.pairs, s.answer = append(s.pairs, pairs...), nil
}

// Skip marks a commit as one that cannot be measured. It may still be the culprit,
// indistinguishable from the next commit that can be measured.
func (s *Search) Skip(commit int) { s.barred[commit], s.answer = true, nil }

// Same marks two commits as having the same program: none after the first, up to and
// including the second, is the culprit.
func (s *Search) Same(first, second int) {
	for i := first + 1; i <= second; i++ {
		s.prior[i] = 0
	}
	s.answer = nil
}

// Known marks a commit as certainly good or bad, as happens with counts, which have no
// noise.
func (s *Search) Known(commit int, bad bool) {
	if bad {
		s.hi = min(s.hi, commit)
	} else {
		s.lo = max(s.lo, commit)
	}
	s.built[commit], s.answer = true, nil
}

// A Candidate is a commit that can be measured, together with the commits right
// before it that cannot: measurements cannot tell these from each other.
type Candidate struct {
	First, Last int // commits First..Last; Last is the one that can be measured
	P           float64
}

// A Posterior is the posterior distribution of a search, given all measurements.
type Posterior struct {
	// Culprit has the probability of each commit 0..n to be the culprit. It is nil
	// where the measurements contradict each other: no commit can be the culprit.
	Culprit []float64
	// Candidates are the commits that can be told from each other, the likeliest first.
	Candidates []Candidate
	// Size is the change as a fraction, with its 95 % credible interval, and Log the
	// same as a logarithm. Noise is the standard deviation of a pair's logarithm.
	Size  stat.Shift
	Log   float64
	Noise float64
}

// Credible returns the credible set of the given probability: the fewest of the
// likeliest candidates that have it together.
func (p *Posterior) Credible(probability float64) []Candidate {
	sum := 0.0
	for i, s := range p.Candidates {
		if sum += s.P; sum >= probability-1e-12 {
			return p.Candidates[:i+1]
		}
	}
	return p.Candidates
}

// Before returns the probability that a commit is bad: that it, or one before it, is
// the culprit.
func (p *Posterior) Before(commit int) float64 {
	sum := 0.0
	for _, v := range p.Culprit[:commit+1] {
		sum += v
	}
	return min(1, sum)
}

// Next returns the commit to measure next. It returns false when the likeliest
// candidate has at least the given probability, or no measurement would tell more.
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
		cost := float64(Batch)
		if !s.built[i] {
			cost += s.BuildCost
		}
		// The first of those that are equally good but for rounding.
		if gain := entropy(before) / cost; gain > best*(1+1e-9) && before > 1e-9 && before < 1-1e-9 {
			best, commit = gain, i
		}
	}
	return commit, commit > 0
}

// entropy is that of an event with probability p, in nats.
func entropy(p float64) float64 {
	if p <= 0 || p >= 1 {
		return 0
	}
	return -p*math.Log(p) - (1-p)*math.Log1p(-p)
}

// candidates joins each commit that cannot be measured with the next one that can.
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
