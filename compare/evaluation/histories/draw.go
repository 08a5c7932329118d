package histories

import (
	"math"
	"math/rand/v2"

	"github.com/perftrack/perftrack/compare/evaluation/noise"
)

// A Scenario describes the histories in a campaign. They have one value per commit, with noise and
// with or without a step.
type Scenario struct {
	Name     string
	Noise    func(r *rand.Rand) func() float64 // standardized: mean 0, variance about 1
	SD       float64                           // standard deviation of the noise, on the logarithmic scale
	Outliers float64                           // share of commits slower by 5 to 20 % just once
	Effect   float64                           // how much slower all commits are from the step on
	Before   int                               // number of commits before the step
	After    int                               // number of commits from the step on
	Drift    float64                           // how much slower the last commit is than the first, gradually
	Stairs   int                               // if not 0, the number of equal steps in Drift
}

// draw returns the history with the given number.
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

// gone returns the share of the drift up to commit i.
func (s *Scenario) gone(i int) float64 {
	n := s.Before + s.After
	if s.Stairs > 0 {
		return float64(i*(s.Stairs+1)/n) / float64(s.Stairs)
	}
	return float64(i) / float64(n-1)
}

// White is normal noise, independent for each commit.
func White(r *rand.Rand) func() float64 { return r.NormFloat64 }

// Correlated is normal noise with a correlation of rho between successive commits, as from a
// machine with a persistent state.
func Correlated(rho float64) func(r *rand.Rand) func() float64 {
	return func(r *rand.Rand) func() float64 {
		x := r.NormFloat64()
		return func() float64 {
			x = rho*x + math.Sqrt(1-rho*rho)*r.NormFloat64()
			return x
		}
	}
}

// SkewedHistory is gamma noise with shape 2, with a tail toward slow values.
func SkewedHistory(r *rand.Rand) func() float64 {
	return func() float64 { return (r.ExpFloat64() + r.ExpFloat64() - 2) / math.Sqrt2 }
}

// HeavyHistory is noise from Student's t distribution with 3 degrees of freedom.
func HeavyHistory(r *rand.Rand) func() float64 {
	return func() float64 { return noise.T3(r) }
}
