package noise

import (
	"math"
	"math/rand/v2"
)

// Here are the terms that remember: states of a machine or of a side, and order.

// MachineRegimes are levels, each by step slower than the one before, between which the
// machine switches at any time; it keeps one for dwell rounds in the mean.
func MachineRegimes(levels int, step, dwell float64) Term {
	return func(r *rand.Rand, benchmarks int) func(Place) float64 {
		level := r.IntN(levels)
		return func(Place) float64 {
			level = switched(r, level, levels, dwell*2*float64(benchmarks))
			return float64(level) * math.Log1p(step)
		}
	}
}

// OwnRegimes are those of each benchmark by itself.
func OwnRegimes(levels int, step, dwell float64) Term {
	return func(r *rand.Rand, benchmarks int) func(Place) float64 {
		level := make([]int, benchmarks)
		for b := range level {
			level[b] = r.IntN(levels)
		}
		return func(at Place) float64 {
			level[at.Benchmark] = switched(r, level[at.Benchmark], levels, dwell*2)
			return float64(level[at.Benchmark]) * math.Log1p(step)
		}
	}
}

// switched is the level of the next sample: now and then another one.
func switched(r *rand.Rand, level, levels int, dwell float64) int {
	if r.Float64() < 1/dwell {
		return (level + 1 + r.IntN(levels-1)) % levels
	}
	return level
}

// Wander is noise of each benchmark by itself that both sides of a round share, with
// this correlation from round to round.
func Wander(sd, keep float64) Term {
	return func(r *rand.Rand, benchmarks int) func(Place) float64 {
		next := wanderer(r, benchmarks, sd, keep)
		x := 0.0
		return func(at Place) float64 {
			if !at.Second {
				x = next(at.Benchmark)
			}
			return x
		}
	}
}

// RatioWander is the same of the logarithm of the ratio of the two sides: a state that
// sticks to a side, which nothing tells from a change.
func RatioWander(sd, keep float64) Term {
	return func(r *rand.Rand, benchmarks int) func(Place) float64 {
		next := wanderer(r, benchmarks, sd, keep)
		return func(at Place) float64 {
			if !at.Head {
				return 0
			}
			return next(at.Benchmark)
		}
	}
}

// OrderWander is the same of the second of a pair, whichever side it is of.
func OrderWander(sd, keep float64) Term {
	return func(r *rand.Rand, benchmarks int) func(Place) float64 {
		next := wanderer(r, benchmarks, sd, keep)
		return func(at Place) float64 {
			if !at.Second {
				return 0
			}
			return next(at.Benchmark)
		}
	}
}

func wanderer(r *rand.Rand, benchmarks int, sd, keep float64) func(b int) float64 {
	x := make([]float64, benchmarks)
	for b := range x {
		x[b] = sd * r.NormFloat64()
	}
	return func(b int) float64 {
		x[b] = keep*x[b] + math.Sqrt(1-keep*keep)*sd*r.NormFloat64()
		return x[b]
	}
}

// Sine goes up and down once in so many rounds.
func Sine(size, period float64) Term {
	return func(r *rand.Rand, benchmarks int) func(Place) float64 {
		phase, at := r.Float64(), -1.0
		return func(Place) float64 {
			at++
			return size * math.Sin(2*math.Pi*(phase+at/(2*float64(benchmarks)*period)))
		}
	}
}

// WarmUp makes all slower, little by little, by total within so many rounds.
func WarmUp(total, within float64) Term {
	return func(_ *rand.Rand, benchmarks int) func(Place) float64 {
		at := -1.0
		return func(Place) float64 {
			at++
			return math.Log1p(total * min(1, at/(2*float64(benchmarks)*within)))
		}
	}
}

// SecondSlower makes the second of each pair slower, of the first benchmarks.
func SecondSlower(slower float64, first int) Term {
	return sides(func(_ *rand.Rand, at Place) float64 {
		if at.Second && at.Benchmark < first {
			return math.Log1p(slower)
		}
		return 0
	})
}

// SharedRounds is noise of each round that all benchmarks share.
func SharedRounds(sd float64) Term {
	return func(r *rand.Rand, _ int) func(Place) float64 {
		round, x := -1, 0.0
		return func(at Place) float64 {
			if at.Round != round {
				round, x = at.Round, sd*r.NormFloat64()
			}
			return x
		}
	}
}

// SharedSides is the same of each side of a round by itself.
func SharedSides(sd float64) Term {
	return func(r *rand.Rand, _ int) func(Place) float64 {
		round, x := -1, [2]float64{}
		return func(at Place) float64 {
			if at.Round != round {
				round, x = at.Round, [2]float64{sd * r.NormFloat64(), sd * r.NormFloat64()}
			}
			return of(at, x[0], x[1])
		}
	}
}

// OneSlow makes one of each pair slower, by a coin that has nothing to do with the order.
func OneSlow(slower float64) Term {
	return func(r *rand.Rand, _ int) func(Place) float64 {
		second := false
		return func(at Place) float64 {
			if !at.Second {
				second = r.Uint64()>>63 == 1
			}
			if at.Second == second {
				return math.Log1p(slower)
			}
			return 0
		}
	}
}

// Sticky makes this share of the sides of each benchmark slower, which stay so for so many
// rounds in the mean: no test can tell that from a change.
func Sticky(slower, share, rounds float64) Term {
	return func(r *rand.Rand, benchmarks int) func(Place) float64 {
		x := make([][2]float64, benchmarks)
		for b := range x {
			x[b] = [2]float64{sometimes(r, share, math.Log1p(slower)), sometimes(r, share, math.Log1p(slower))}
		}
		return func(at Place) float64 {
			side := 0
			if at.Head {
				side = 1
			}
			if r.Float64() < 1/rounds {
				x[at.Benchmark][side] = sometimes(r, share, math.Log1p(slower))
			}
			return x[at.Benchmark][side]
		}
	}
}

// Quota is that of a container (cgroup's cpu.max): each time that work of so many samples
// is done, whoever runs has to wait, for a share of a sample. What waits depends on all that
// ran before, of either side, and comes back every few samples; with places that are
// whole multiples of each other, in the same place.
func Quota(work, wait float64) Term {
	return func(r *rand.Rand, _ int) func(Place) float64 {
		done := work * r.Float64()
		return func(Place) float64 {
			x := 0.0
			for done += 1 + 0.01*r.NormFloat64(); done >= work; done -= work {
				x += wait
			}
			return math.Log1p(x)
		}
	}
}
