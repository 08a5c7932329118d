package noise

import (
	"math"
	"math/rand/v2"
)

// The terms in this file depend on earlier samples, because they have a state for the machine, for
// a side or for a position in the pair.

// MachineRegimes simulates a machine with several levels of speed, each slower than the previous
// one by step. The machine can switch between levels before any sample and keeps each for dwell
// rounds on average.
func MachineRegimes(levels int, step, dwell float64) Term {
	return func(r *rand.Rand, benchmarks int) func(Place) float64 {
		level := r.IntN(levels)
		return func(Place) float64 {
			level = switched(r, level, levels, dwell*2*float64(benchmarks))
			return float64(level) * math.Log1p(step)
		}
	}
}

// OwnRegimes is like MachineRegimes, but each benchmark has its own level.
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

// switched returns the level of the next sample: a different one with probability 1/dwell.
func switched(r *rand.Rand, level, levels int, dwell float64) int {
	if r.Float64() < 1/dwell {
		return (level + 1 + r.IntN(levels-1)) % levels
	}
	return level
}

// Wander is noise shared by both sides of a round but independent for each benchmark. keep is its
// correlation from one round to the next.
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

// RatioWander is like Wander, but for the logarithm of the ratio of the two sides. It acts like a
// state of one side and cannot be distinguished from a change.
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

// OrderWander is like Wander, but affects only the second sample of each pair, on either side.
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

// Sine oscillates once every period rounds.
func Sine(size, period float64) Term {
	return func(r *rand.Rand, benchmarks int) func(Place) float64 {
		phase, at := r.Float64(), -1.0
		return func(Place) float64 {
			at++
			return size * math.Sin(2*math.Pi*(phase+at/(2*float64(benchmarks)*period)))
		}
	}
}

// WarmUp slows everything down by total, gradually over the first rounds. within is the number of
// these rounds.
func WarmUp(total, within float64) Term {
	return func(_ *rand.Rand, benchmarks int) func(Place) float64 {
		at := -1.0
		return func(Place) float64 {
			at++
			return math.Log1p(total * min(1, at/(2*float64(benchmarks)*within)))
		}
	}
}

// SecondSlower makes the second sample of each pair slower, but only in benchmarks with numbers
// below first.
func SecondSlower(slower float64, first int) Term {
	return sides(func(_ *rand.Rand, at Place) float64 {
		if at.Second && at.Benchmark < first {
			return math.Log1p(slower)
		}
		return 0
	})
}

// SharedRounds is noise drawn once per round and shared by all benchmarks.
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

// SharedSides is like SharedRounds, but drawn separately for each side of a round.
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

// OneSlow makes one sample of each pair slower, chosen at random independently of the order.
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

// Sticky makes the given share of the sides slower, independently for each benchmark; a side keeps
// its state for rounds rounds on average. No test can distinguish this from a change.
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

// Quota simulates a container's CPU quota (cgroup's cpu.max): after every work samples' worth of
// CPU time, the running process has to wait for the fraction wait of a sample. Which process waits
// depends on everything that ran before it, on either side, and a wait recurs every few samples. If
// the number of samples in a round is a multiple of that interval, the wait always hits the same
// place.
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
