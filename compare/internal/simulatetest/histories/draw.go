package histories

import (
	"math"
	"math/rand/v2"

	"github.com/perftrack/perftrack/compare/internal/simulatetest/noise"
)

// A Scenario is what is true of the histories of a campaign: one value a
// commit, with noise, and a step somewhere or none.
type Scenario struct {
	Name     string
	Noise    func(r *rand.Rand) func() float64 // standardized: mean 0, variance about 1
	SD       float64                           // of the noise, of logarithms
	Outliers float64                           // share of commits that are slower by 5 to 20 % once
	Effect   float64                           // by how much all are slower from the step on
	Before   int                               // commits before the step
	After    int                               // commits from it on
	Drift    float64                           // by how much the last is slower than the first, little by little
	Stairs   int                               // where not 0, Drift comes in so many equal steps
}

// draw returns the history with this number.
func (s *Scenario) draw(seed, number uint64, out []float64) []float64 {
	r := rand.New(rand.NewPCG(seed, number))
	next := s.Noise(r)
	out = out[:0]
	for i := range s.Before + s.After {
		x := s.SD * next()
		if r.Float64() < s.Outliers {
			x += math.Log1p(0.05 + 0.15*r.Float64())
		}
		if i >= s.Before {
			x += math.Log1p(s.Effect)
		}
		x += math.Log1p(s.Drift) * s.gone(i)
		out = append(out, 100*math.Exp(x))
	}
	return out
}

// gone is the share of the drift that commit i has.
func (s *Scenario) gone(i int) float64 {
	n := s.Before + s.After
	if s.Stairs > 0 {
		return float64(i*(s.Stairs+1)/n) / float64(s.Stairs)
	}
	return float64(i) / float64(n-1)
}

// White is normal noise, each commit's its own.
func White(r *rand.Rand) func() float64 { return r.NormFloat64 }

// Correlated is normal noise of which each commit's is correlated with that of
// the one before by rho: a machine whose state outlasts a run.
func Correlated(rho float64) func(r *rand.Rand) func() float64 {
	return func(r *rand.Rand) func() float64 {
		x := r.NormFloat64()
		return func() float64 {
			x = rho*x + math.Sqrt(1-rho*rho)*r.NormFloat64()
			return x
		}
	}
}

// SkewedHistory is gamma noise of shape 2, with a tail to the slow side.
func SkewedHistory(r *rand.Rand) func() float64 {
	return func() float64 { return (r.ExpFloat64() + r.ExpFloat64() - 2) / math.Sqrt2 }
}

// HeavyHistory is Student's t with 3 degrees of freedom.
func HeavyHistory(r *rand.Rand) func() float64 {
	return func() float64 { return noise.T3(r) }
}
