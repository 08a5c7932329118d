// Package search finds the commit at which a benchmark changed, from noisy measurements of pairs of
// commits. It does the arithmetic of a bisection and runs neither git nor benchmarks.
//
// A [Pair] is a measurement of two commits, back to back. [Search.Posterior] returns the
// probability that each commit is the culprit, and [Search.Next] the commit to measure next. Read
// search.go first, then posterior.go for the model. A [Contrast] decides whether the two ends
// differ at all. A [Step] decides whether one commit is good or bad, for git bisect run, where git
// chooses the commits.
//
// The method is the probabilistic bisection of Horstein, "Sequential transmission using noiseless
// feedback", IEEE Transactions on Information Theory 9 (1963), extended to take the cost of builds
// and pairs into account.
package search

import (
	"cmp"
	"math"
	"slices"

	"github.com/perftrack/perftrack/compare/stat"
)

// These defaults of a [Search] were chosen by simulation (compare/evaluation/bisections). More
// certainty costs pairs, and smaller batches cost builds.
const (
	Certainty = 0.97 // probability at which a culprit is reported
	Batch     = 4    // pairs measured before the next commit is chosen
	BuildCost = 5    // cost of building an unmeasured commit, in pairs
)

// A Pair is a measurement of two commits, back to back. Commits are positions in the history, where
// 0 is the known-good one.
type Pair struct {
	Base, Head int
	LogRatio   float64 // ln(head/base)
}

// A Search looks for the culprit, the one commit at which a benchmark changed. Commits are
// positions from 0, the known-good commit, to n, the known-bad one. The culprit is one of 1..n, and
// all commits from it on have the change.
//
// A Search keeps the joint posterior distribution of the culprit, the size of the change and the
// noise. A pair has the density .95 N(0,s) + .05 N(0,6s) around the change predicted by a culprit
// and a size, so that a disturbed sample counts for little. The size has a flat prior around the
// estimate from the two ends, and the noise has a flat prior in its logarithm; both are summed over
// grids. The next commit to measure is the one that promises the most information for its cost. If
// the costs are equal, that is the commit whose probability of being bad is nearest to one half.
//
// The results do not depend on the order of the measurements.
type Search struct {
	// BuildCost is the number of pairs measured in the time of a build, by default the constant [BuildCost].
	BuildCost float64

	prior    []float64 // prior weights of commits 0..n; a weight of 0 rules a commit out
	pairs    []Pair
	unpaired []Level
	barred   []bool // unmeasurable commits
	built    []bool // commits that were built
	lo, hi   int    // the culprit is one of lo+1..hi
	answer   *Posterior
	deltas   []float64
	scales   []float64
	terms    []float64 // scratch: weights by size, scale and culprit
	steps    []float64 // scratch: differences between neighbouring commits
	residual []float64 // scratch: residuals
}

// New returns a search among n candidates. prior has the prior weights of commits 1..n; if it is
// nil, all commits have the same weight. A weight of 0 rules a commit out, for example because its
// program is the same as its parent's.
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

// Add adds pairs. From then on, their commits count as built.
func (s *Search) Add(pairs ...Pair) {
	for _, p := range pairs {
		s.built[p.Base], s.built[p.Head] = true, true
	}
	s.pairs, s.answer = append(s.pairs, pairs...), nil
}

// Skip marks a commit as impossible to measure. It may still be the culprit, but then it cannot be
// distinguished from the next measurable commit.
func (s *Search) Skip(commit int) { s.barred[commit], s.answer = true, nil }

// Same marks two commits as having the same program, so that the culprit is not among the commits
// after first, up to and including second.
func (s *Search) Same(first, second int) {
	for i := first + 1; i <= second; i++ {
		s.prior[i] = 0
	}
	s.answer = nil
}

// Known marks a commit as certainly good or bad. Counts allow this, because they have no noise.
func (s *Search) Known(commit int, bad bool) {
	if bad {
		s.hi = min(s.hi, commit)
	} else {
		s.lo = max(s.lo, commit)
	}
	s.built[commit], s.answer = true, nil
}

// A Candidate is a measurable commit together with the unmeasurable commits right before it, from
// which measurements cannot distinguish it.
type Candidate struct {
	First, Last int // commits First..Last; Last is measurable
	P           float64
}

// A Posterior is the posterior distribution of a search given all measurements.
type Posterior struct {
	// Culprit lists, for each commit 0..n, the probability that it is the culprit. Culprit is nil
	// if no commit can be the culprit because the measurements contradict each other.
	Culprit []float64
	// Candidates are the distinguishable candidates, the most likely one first.
	Candidates []Candidate
	// Size is the change as a fraction, with its 95 % credible interval. Log is the change as a
	// logarithm. Noise is the standard deviation of a pair's logarithm.
	Size  stat.Shift
	Log   float64
	Noise float64
}

// Credible returns the credible set for the given probability: the smallest number of candidates,
// most likely first, whose probabilities add up to at least that.
func (p *Posterior) Credible(probability float64) []Candidate {
	sum := 0.0
	for i, s := range p.Candidates {
		if sum += s.P; sum >= probability-1e-12 {
			return p.Candidates[:i+1]
		}
	}
	return p.Candidates
}

// Before returns the probability that a commit is bad, because the culprit is this commit or one
// before it.
func (p *Posterior) Before(commit int) float64 {
	sum := 0.0
	for _, v := range p.Culprit[:commit+1] {
		sum += v
	}
	return min(1, sum)
}

// Next returns the commit to measure next. ok is false if the most likely candidate has at least
// the given probability or if no measurement would add information.
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
		// Among commits equal except for rounding, take the first.
		if gain := entropy(before) / cost; gain > best*(1+1e-9) && before > 1e-9 && before < 1-1e-9 {
			best, commit = gain, i
		}
	}
	return commit, commit > 0
}

// entropy returns the entropy of an event with probability p, in nats.
func entropy(p float64) float64 {
	if p <= 0 || p >= 1 {
		return 0
	}
	return -p*math.Log(p) - (1-p)*math.Log1p(-p)
}

// candidates groups each unmeasurable commit with the next measurable one.
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
