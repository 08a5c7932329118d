package compare

import (
	"cmp"
	"math"
	"slices"
)

// A ApartLevel is the center of a run of one commit that was measured apart from the
// others, as a logarithm: weak evidence, as the machine may have changed.
type ApartLevel struct {
	Commit int
	Log    float64
}

// AddApart adds what the history has of the commits. It counts for half of what
// its spread says, since neighbours in a history share the state of their machine.
func (s *Search) AddApart(levels ...ApartLevel) {
	s.apart, s.answer = append(s.apart, levels...), nil
}

// The grids over which the unknown size and noise are summed.
const (
	bisectDeltas = 21
	bisectSpan   = 4 // standard errors either way
	bisectScales = 7
	bisectFactor = 2 // the noise is within this factor of its estimate
	tailShare    = 0.05
	tailWidth    = 6
)

// Posterior returns what is known now.
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

// logPrior is minus infinity for what cannot be the culprit.
func (s *Search) logPrior(j int) float64 {
	if j <= s.lo || j > s.hi {
		return math.Inf(-1)
	}
	return math.Log(s.prior[j])
}

// likelihood fills in the log-likelihood of everything for each culprit. A pair
// has only three: both commits before the culprit or both from it on, the head
// alone, the base alone; so its share is added where it changes along the line.
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
		if lo < hi { // culprits lo+1..hi lie between the two
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
	if len(s.apart) > 0 {
		s.addApart(terms, delta)
	}
}

// logDensity is the logarithm of the density of a pair, but for a constant and the
// logarithm of the scale, with one exponential and one logarithm: it is most of the work.
func logDensity(x, scale float64) float64 {
	z := x / scale
	z *= z / 2
	const wide = 1. / (tailWidth * tailWidth)
	return math.Log((1-tailShare)*math.Exp(-z*(1-wide))+tailShare/tailWidth) - z*wide
}

// addApart adds the likelihood of what was measured apart, around the level that
// fits best.
func (s *Search) addApart(terms []float64, delta float64) {
	spread := s.apartSpread()
	for j := 1; j < len(terms); j++ {
		s.residual = s.residual[:0]
		for _, l := range s.apart {
			v := l.Log
			if l.Commit >= j {
				v -= delta
			}
			s.residual = append(s.residual, v)
		}
		level := median(s.residual)
		for _, v := range s.residual {
			terms[j] += logDensity(v-level, spread) / 2
		}
	}
}

// apartSpread is the noise between neighbours of the history, of which one step
// more or less makes little.
func (s *Search) apartSpread() float64 {
	sorted := slices.SortedStableFunc(slices.Values(s.apart), func(a, b ApartLevel) int { return cmp.Compare(a.Commit, b.Commit) })
	s.residual = s.residual[:0]
	for i := 1; i < len(sorted); i++ {
		s.residual = append(s.residual, math.Abs(sorted[i].Log-sorted[i-1].Log))
	}
	return max(normalMAD*median(s.residual)/math.Sqrt2, DefaultNoise)
}

// grids lays the grids around what the pairs of the two ends gave, and for the
// noise around the spread of all pairs within those of the same two commits.
func (s *Search) grids() {
	scale := s.spread()
	s.scales = s.scales[:0]
	for k := range bisectScales {
		s.scales = append(s.scales, scale*math.Pow(bisectFactor, 2*float64(k)/(bisectScales-1)-1))
	}
	center, n := s.ends()
	half := bisectSpan * 1.2 * scale / math.Sqrt(float64(max(n, 1)))
	s.deltas = s.deltas[:0]
	for d := range bisectDeltas {
		delta := center + half*(2*float64(d)/(bisectDeltas-1)-1)
		// The ends are proven to differ, and in which direction.
		if delta*center > 0 && math.Abs(delta) >= math.Abs(center)/4 {
			s.deltas = append(s.deltas, delta)
		}
	}
	if len(s.deltas) == 0 {
		s.deltas = append(s.deltas, center)
	}
}

// ends returns the median of the pairs of the first and the last commit, and how
// many there are.
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
	return median(s.residual), len(s.residual)
}

// spread is the standard deviation of pairs, from the median absolute deviation
// within those of the same two commits. Each group has given a degree of freedom
// to its own median.
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
		m, correct := median(g), math.Sqrt(float64(len(g))/float64(len(g)-1))
		for _, v := range g {
			s.residual = append(s.residual, math.Abs(v-m)*correct)
		}
	}
	return max(normalMAD*median(s.residual), DefaultNoise/2)
}

// size is the mean of the size, with the interval that leaves 2.5 % to either side.
func (s *Search) size(weights []float64, total float64) (Shift, float64) {
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
	return Shift{Center: math.Expm1(mean), Lo: math.Expm1(lo), Hi: math.Expm1(hi)}, mean
}
