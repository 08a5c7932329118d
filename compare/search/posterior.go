package search

import (
	"cmp"
	"math"
	"slices"

	"github.com/perftrack/perftrack/compare/stat"
)

// A Level is the center of an unpaired run of one commit, as a logarithm. It is weak evidence,
// because the machine may have changed between runs.
type Level struct {
	Commit int
	Log    float64
}

// AddUnpaired adds levels from the history. Their likelihood counts half, because neighbouring runs
// in a history share the state of their machine.
func (s *Search) AddUnpaired(levels ...Level) {
	s.unpaired, s.answer = append(s.unpaired, levels...), nil
}

// These constants describe the grids over which the unknown size and noise are summed, and the
// tails of the density of a pair.
const (
	gridSizes   = 21
	gridSpan    = 4 // standard errors in each direction
	gridNoises  = 7
	noiseFactor = 2 // the noise is within this factor of its estimate
	tailShare   = 0.05
	tailWidth   = 6
)

// Posterior returns the posterior distribution given all data so far.
func (s *Search) Posterior() *Posterior {
	if s.answer == nil {
		s.answer = s.posterior()
	}
	return s.answer
}

func (s *Search) posterior() *Posterior {
	s.grids()
	n, cells := len(s.prior), len(s.deltas)*len(s.scales)
	s.terms = slices.Grow(s.terms[:0], cells*n)[:cells*n]
	highest := math.Inf(-1)
	for d, delta := range s.deltas {
		for k, scale := range s.scales {
			terms := s.terms[(d*len(s.scales)+k)*n:][:n]
			s.likelihood(terms, delta, scale)
			for j := range terms {
				terms[j] += s.logPrior(j)
				highest = max(highest, terms[j])
			}
		}
	}
	out := &Posterior{}
	if math.IsInf(highest, -1) {
		return out
	}
	out.Culprit = make([]float64, n)
	sizes, scales, total := make([]float64, len(s.deltas)), make([]float64, len(s.scales)), 0.0
	for i, t := range s.terms {
		w := math.Exp(t - highest)
		out.Culprit[i%n] += w
		sizes[i/n/len(s.scales)] += w
		scales[i/n%len(s.scales)] += w
		total += w
	}
	for i := range out.Culprit {
		out.Culprit[i] /= total
	}
	for k, w := range scales {
		out.Noise += s.scales[k] * w / total
	}
	out.Size, out.Log = s.size(sizes, total)
	out.Candidates = s.candidates(out.Culprit)
	return out
}

// logPrior returns the logarithm of a commit's prior weight, minus infinity if the commit cannot be
// the culprit.
func (s *Search) logPrior(j int) float64 {
	if j <= s.lo || j > s.hi {
		return math.Inf(-1)
	}
	return math.Log(s.prior[j])
}

// likelihood fills in the log-likelihood of all measurements for each possible culprit. A pair has
// one likelihood for the culprits between its commits and another for all other culprits, so
// likelihood stores only the differences between successive commits and adds them up at the end.
func (s *Search) likelihood(terms []float64, delta, scale float64) {
	s.steps = slices.Grow(s.steps[:0], len(terms)+1)[:len(terms)+1]
	clear(s.steps)
	constant := -float64(len(s.pairs)) * math.Log(scale)
	for _, p := range s.pairs {
		same := logDensity(p.LogRatio, scale)
		constant += same
		lo, hi, shift := p.Base, p.Head, delta
		if lo > hi {
			lo, hi, shift = hi, lo, -delta
		}
		if lo < hi { // culprits lo+1..hi lie between the two commits
			change := logDensity(p.LogRatio-shift, scale) - same
			s.steps[lo+1] += change
			s.steps[hi+1] -= change
		}
	}
	sum := constant
	for j := range terms {
		sum += s.steps[j]
		terms[j] = sum
	}
	if len(s.unpaired) > 0 {
		s.addUnpaired(terms, delta)
	}
}

// logDensity returns the logarithm of the density of a pair, up to a constant and the logarithm of
// the scale. A search spends most of its time here, so the function computes only one exponential
// and one logarithm.
func logDensity(x, scale float64) float64 {
	z := x / scale
	z *= z / 2
	const wide = 1. / (tailWidth * tailWidth)
	return math.Log((1-tailShare)*math.Exp(-z*(1-wide))+tailShare/tailWidth) - z*wide
}

// addUnpaired adds the likelihood of the unpaired levels. For each culprit, it assumes the good
// level that fits them best.
func (s *Search) addUnpaired(terms []float64, delta float64) {
	spread := s.unpairedSpread()
	for j := 1; j < len(terms); j++ {
		s.residual = s.residual[:0]
		for _, l := range s.unpaired {
			v := l.Log
			if l.Commit >= j {
				v -= delta
			}
			s.residual = append(s.residual, v)
		}
		level := stat.Median(s.residual)
		for _, v := range s.residual {
			terms[j] += logDensity(v-level, spread) / 2
		}
	}
}

// unpairedSpread returns the noise between neighbours in the history. It uses a median, which is
// hardly affected by the step that the search is looking for.
func (s *Search) unpairedSpread() float64 {
	sorted := slices.SortedStableFunc(slices.Values(s.unpaired), func(a, b Level) int { return cmp.Compare(a.Commit, b.Commit) })
	s.residual = s.residual[:0]
	for i := 1; i < len(sorted); i++ {
		s.residual = append(s.residual, math.Abs(sorted[i].Log-sorted[i-1].Log))
	}
	return max(stat.NormalMAD*stat.Median(s.residual)/math.Sqrt2, stat.DefaultNoise)
}

// grids centers the grid of sizes on the estimate from the pairs of the two ends, and the grid of
// noises on the pooled spread of pairs with the same two commits.
func (s *Search) grids() {
	scale := s.spread()
	s.scales = s.scales[:0]
	for k := range gridNoises {
		s.scales = append(s.scales, scale*math.Pow(noiseFactor, 2*float64(k)/(gridNoises-1)-1))
	}
	center, n := s.ends()
	half := gridSpan * 1.2 * scale / math.Sqrt(float64(max(n, 1)))
	s.deltas = s.deltas[:0]
	for d := range gridSizes {
		delta := center + half*(2*float64(d)/(gridSizes-1)-1)
		// The ends are proven to differ, and the direction is known.
		if delta*center > 0 && math.Abs(delta) >= math.Abs(center)/4 {
			s.deltas = append(s.deltas, delta)
		}
	}
	if len(s.deltas) == 0 {
		s.deltas = append(s.deltas, center)
	}
}

// ends returns the median log-ratio of the last commit over the first, from pairs of these two
// commits, and the number of such pairs.
func (s *Search) ends() (center float64, n int) {
	last := len(s.prior) - 1
	s.residual = s.residual[:0]
	for _, p := range s.pairs {
		switch {
		case p.Base == 0 && p.Head == last:
			s.residual = append(s.residual, p.LogRatio)
		case p.Base == last && p.Head == 0:
			s.residual = append(s.residual, -p.LogRatio)
		}
	}
	return stat.Median(s.residual), len(s.residual)
}

// spread returns the standard deviation of pairs, estimated from the median absolute deviation
// within groups of pairs with the same two commits. Each group loses a degree of freedom to its
// median.
func (s *Search) spread() float64 {
	type ends struct{ base, head int }
	groups := map[ends][]float64{}
	for _, p := range s.pairs {
		groups[ends{p.Base, p.Head}] = append(groups[ends{p.Base, p.Head}], p.LogRatio)
	}
	s.residual = s.residual[:0]
	for _, g := range groups {
		if len(g) < 3 {
			continue
		}
		m, correct := stat.Median(g), math.Sqrt(float64(len(g))/float64(len(g)-1))
		for _, v := range g {
			s.residual = append(s.residual, math.Abs(v-m)*correct)
		}
	}
	return max(stat.NormalMAD*stat.Median(s.residual), stat.DefaultNoise/2)
}

// size returns the posterior mean of the size as a shift and as a logarithm. The shift's interval
// excludes a probability of 2.5 % on each side.
func (s *Search) size(weights []float64, total float64) (stat.Shift, float64) {
	mean, sum := 0.0, 0.0
	lo, hi := s.deltas[0], s.deltas[len(s.deltas)-1]
	for d, w := range weights {
		mean += s.deltas[d] * w / total
		before := sum
		sum += w / total
		if before < 0.025 && sum >= 0.025 {
			lo = s.deltas[d]
		}
		if before < 0.975 && sum >= 0.975 {
			hi = s.deltas[d]
		}
	}
	return stat.Shift{Center: math.Expm1(mean), Lo: math.Expm1(lo), Hi: math.Expm1(hi)}, mean
}
