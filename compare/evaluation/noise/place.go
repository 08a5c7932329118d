package noise

import (
	"math"
	"math/rand/v2"
)

// A Place identifies a sample in a trial. Samples are taken round by round and, within a round,
// benchmark by benchmark, with both sides of a benchmark back to back.
type Place struct {
	Round, Benchmark int // starting at 0
	Head             bool
	Second           bool // whether it is the second sample of its pair
}

// A Term is a kind of noise that, unlike a [Machine], depends on the place. Calling it starts a new
// trial, with all randomness from r. The returned function gives the logarithm of the factor by
// which a sample is slower.
type Term func(r *rand.Rand, benchmarks int) func(at Place) float64

// Sum returns the sum of the terms.
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

// sides returns a term drawn independently for each sample.
func sides(draw func(r *rand.Rand, at Place) float64) Term {
	return func(r *rand.Rand, _ int) func(Place) float64 {
		return func(at Place) float64 { return draw(r, at) }
	}
}

// rounds returns a term equal on both sides of a benchmark in each round.
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

// ratios returns a term for which draw yields the logarithm of a pair's ratio, with any
// distribution.
func ratios(draw func(r *rand.Rand, at Place) float64) Term {
	return sides(func(r *rand.Rand, at Place) float64 {
		if !at.Head {
			return 0
		}
		return draw(r, at)
	})
}

// White is normal noise, independent for each sample.
func White(sd float64) Term {
	return sides(func(r *rand.Rand, _ Place) float64 { return sd * r.NormFloat64() })
}

// Pairs is normal noise. The logarithm of a pair's ratio has standard deviation sd. In addition,
// both sides of a round share noise of the machine with a coefficient of variation of common.
func Pairs(sd, common float64) Term {
	return Sum(White(sd/math.Sqrt2), rounds(func(r *rand.Rand, _ Place) float64 { return common * r.NormFloat64() }))
}

// Ratios draws the logarithm of each pair's ratio from draw and multiplies it by sd.
func Ratios(sd float64, draw func(r *rand.Rand) float64) Term {
	return ratios(func(r *rand.Rand, _ Place) float64 { return sd * draw(r) })
}

// Exponential draws from an exponential distribution shifted to a median of 0. It is skewed.
func Exponential(r *rand.Rand) float64 { return r.ExpFloat64() - math.Ln2 }

// T2 draws from Student's t distribution with 2 degrees of freedom, and Cauchy from the one with 1.
func T2(r *rand.Rand) float64     { return r.NormFloat64() / math.Sqrt(r.ExpFloat64()) }
func Cauchy(r *rand.Rand) float64 { return r.NormFloat64() / r.NormFloat64() }

// Heavier is noise from Student's t distribution with 3 degrees of freedom, independent for each
// sample.
func Heavier(sd float64) Term {
	return sides(func(r *rand.Rand, _ Place) float64 { return sd * T3(r) })
}

// Unequal is normal noise whose spread differs between base and head.
func Unequal(base, head float64) Term {
	return sides(func(r *rand.Rand, at Place) float64 { return of(at, base, head) * r.NormFloat64() })
}

func of(at Place, base, head float64) float64 {
	if at.Head {
		return head
	}
	return base
}

// Modes simulates states that processes settle in. The given share of processes is slower.
func Modes(slower, share float64) Term {
	return sides(func(r *rand.Rand, _ Place) float64 { return sometimes(r, share, math.Log1p(slower)) })
}

func sometimes(r *rand.Rand, share, x float64) float64 {
	if r.Float64() < share {
		return x
	}
	return 0
}

// Outliers makes the given share of samples take 1.5 to 5 times as long.
func Outliers(share float64) Term { return Slow(share, 1.5, 5) }

// Slow makes the given share of samples take between least and most times as long.
func Slow(share, least, most float64) Term {
	return sides(func(r *rand.Rand, _ Place) float64 {
		return sometimes(r, share, math.Log(least+(most-least)*r.Float64()))
	})
}

// Varying is normal noise whose standard deviation for pairs differs from round to round. The
// standard deviation is drawn from least to most on a logarithmic scale.
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

// Skew is an exponential tail whose mean differs between the sides, while the medians are equal.
func Skew(base, head float64) Term {
	return sides(func(r *rand.Rand, at Place) float64 { return of(at, base, head) * Exponential(r) })
}

// Tail delays a share of the samples, different for each side, by an exponentially distributed time
// with the given mean.
func Tail(base, head, mean float64) Term {
	return sides(func(r *rand.Rand, at Place) float64 {
		return sometimes(r, of(at, base, head), math.Log1p(mean*r.ExpFloat64()))
	})
}
