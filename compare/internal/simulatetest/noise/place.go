package noise

import (
	"math"
	"math/rand/v2"
)

// A Place says which sample of a trial is drawn: they come in the order of time, round
// by round, benchmark by benchmark, and of each both sides.
type Place struct {
	Round, Benchmark int // from 0
	Head             bool
	Second           bool // of the two sides of the round
}

// A Term is a part of the noise that knows the place, as a [Machine] does not. It starts
// another trial, all of whose randomness comes from r, and returns what makes a sample of
// it later: the logarithm of a factor.
type Term func(r *rand.Rand, benchmarks int) func(at Place) float64

// Sum has all of the terms at once.
func Sum(terms ...Term) Term {
	return func(r *rand.Rand, benchmarks int) func(Place) float64 {
		parts := make([]func(Place) float64, len(terms))
		for i, t := range terms {
			parts[i] = t(r, benchmarks)
		}
		return func(at Place) float64 {
			x := 0.0
			for _, part := range parts {
				x += part(at)
			}
			return x
		}
	}
}

// sides is a term that draws each sample by itself.
func sides(draw func(r *rand.Rand, at Place) float64) Term {
	return func(r *rand.Rand, _ int) func(Place) float64 {
		return func(at Place) float64 { return draw(r, at) }
	}
}

// rounds is a term of which both sides of a benchmark have the same in each round.
func rounds(draw func(r *rand.Rand, at Place) float64) Term {
	return func(r *rand.Rand, _ int) func(Place) float64 {
		x := 0.0
		return func(at Place) float64 {
			if !at.Second {
				x = draw(r, at)
			}
			return x
		}
	}
}

// ratios is a term of the logarithm of the ratio of a pair itself, of whatever
// distribution.
func ratios(draw func(r *rand.Rand, at Place) float64) Term {
	return sides(func(r *rand.Rand, at Place) float64 {
		if !at.Head {
			return 0
		}
		return draw(r, at)
	})
}

// White is normal noise, each sample's its own.
func White(sd float64) Term {
	return sides(func(r *rand.Rand, _ Place) float64 { return sd * r.NormFloat64() })
}

// Pairs is normal noise of which the logarithm of the ratio of a pair has this standard
// deviation, on a machine that both sides of a round see alike, at a coefficient of
// variation of common.
func Pairs(sd, common float64) Term {
	return Sum(White(sd/math.Sqrt2), rounds(func(r *rand.Rand, _ Place) float64 { return common * r.NormFloat64() }))
}

// Ratios are those of pairs: normal, but each a multiple of what draw gives.
func Ratios(sd float64, draw func(r *rand.Rand) float64) Term {
	return ratios(func(r *rand.Rand, _ Place) float64 { return sd * draw(r) })
}

// Exponential is skewed, and its median 0.
func Exponential(r *rand.Rand) float64 { return r.ExpFloat64() - math.Ln2 }

// T2 draws from Student's t with 2 degrees of freedom, and Cauchy from that with 1.
func T2(r *rand.Rand) float64     { return r.NormFloat64() / math.Sqrt(r.ExpFloat64()) }
func Cauchy(r *rand.Rand) float64 { return r.NormFloat64() / r.NormFloat64() }

// Heavier is Student's t with 3 degrees of freedom, of each sample.
func Heavier(sd float64) Term {
	return sides(func(r *rand.Rand, _ Place) float64 { return sd * T3(r) })
}

// Unequal is normal noise of which head has another spread than base.
func Unequal(base, head float64) Term {
	return sides(func(r *rand.Rand, at Place) float64 { return of(at, base, head) * r.NormFloat64() })
}

func of(at Place, base, head float64) float64 {
	if at.Head {
		return head
	}
	return base
}

// Modes are those in which processes settle: this share of them is slower.
func Modes(slower, share float64) Term {
	return sides(func(r *rand.Rand, _ Place) float64 { return sometimes(r, share, math.Log1p(slower)) })
}

func sometimes(r *rand.Rand, share, x float64) float64 {
	if r.Float64() < share {
		return x
	}
	return 0
}

// Outliers makes this share of the samples take from 1.5 to 5 times as long.
func Outliers(share float64) Term { return Slow(share, 1.5, 5) }

// Slow makes this share of the samples take from least to most times as long.
func Slow(share, least, most float64) Term {
	return sides(func(r *rand.Rand, _ Place) float64 {
		return sometimes(r, share, math.Log(least+(most-least)*r.Float64()))
	})
}

// Varying is normal noise of pairs whose standard deviation is another one in each round, from
// least to most, on the logarithmic scale.
func Varying(least, most float64) Term {
	return func(r *rand.Rand, _ int) func(Place) float64 {
		sd := 0.0
		return func(at Place) float64 {
			if !at.Second {
				sd = least * math.Pow(most/least, r.Float64()) / math.Sqrt2
			}
			return sd * r.NormFloat64()
		}
	}
}

// Skew is an exponential tail whose mean is another for each side, around equal medians.
func Skew(base, head float64) Term {
	return sides(func(r *rand.Rand, at Place) float64 { return of(at, base, head) * Exponential(r) })
}

// Tail makes a share of the samples, another of each side, later by an exponential time
// of this mean.
func Tail(base, head, mean float64) Term {
	return sides(func(r *rand.Rand, at Place) float64 {
		return sometimes(r, of(at, base, head), math.Log1p(mean*r.ExpFloat64()))
	})
}
