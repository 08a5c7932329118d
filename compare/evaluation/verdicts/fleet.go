package verdicts

import (
	"math"
	"math/rand/v2"

	"github.com/perftrack/perftrack/compare/evaluation/noise"
	"github.com/perftrack/perftrack/compare/stat"
)

// A Fleet describes how machines of one class differ, and a change that they measure.
type Fleet struct {
	Name   string
	Effect float64 // how much slower head is in the first benchmark

	Pair  float64 // SD of a round's log ratio on a usual machine
	Level float64 // SD of the logarithm of a machine's own noise level
	Noisy float64 // if not 0, the noise of one machine in a class of eight is this many times as large

	Interaction float64 // SD of a machine's own addition to the change
	Everywhere  bool    // benchmarks without a change have such an addition, too
}

// isNull reports whether the fleet's pull requests change nothing, on any machine. There is no goal
// for false alarms otherwise: a benchmark that changed on each machine has changed.
func (f *Fleet) isNull() bool { return f.Effect == 0 && !f.Everywhere }

// isUsual reports whether the goal for the time holds for the fleet. A noisy machine makes all of
// them measure more rounds.
func (f *Fleet) isUsual() bool { return f.Noisy == 0 }

// The spread of machines in their speed, and of the time of a job around that speed.
const (
	machineSD = 0.03
	jobSD     = 0.05
)

// A host is one machine of a fleet in one trial.
type host struct {
	speed float64   // time of a job relative to a usual machine
	level float64   // SD of a log ratio
	own   []float64 // time of each benchmark relative to other benchmarks, as a logarithm
	adds  []float64 // the machine's addition to the change of each benchmark, as a logarithm
}

// hosts draws n machines.
func (f *Fleet) hosts(r *rand.Rand, n, benchmarks int) []host {
	out := make([]host, n)
	noisy := r.IntN(Spread.Machines) // a single machine is seldom this one
	for i := range out {
		h := &out[i]
		h.speed = math.Exp(machineSD * r.NormFloat64())
		h.level = f.Pair * math.Exp(f.Level*r.NormFloat64())
		if i == noisy && f.Noisy > 0 {
			h.level *= f.Noisy
		}
		h.own, h.adds = make([]float64, benchmarks), make([]float64, benchmarks)
		for b := range benchmarks {
			h.own[b] = machineSD * r.NormFloat64()
			if f.Everywhere || b == 0 && f.Effect != 0 {
				h.adds[b] = f.Interaction * r.NormFloat64()
			}
		}
	}
	return out
}

// measure draws both sides of a benchmark in a round on a machine: the typical slices and the means
// of all slices.
func (f *Fleet) measure(r *rand.Rand, h *host, b, round int, mean func(noise.Place) float64) (typical, average stat.Pair) {
	shared := common * r.NormFloat64()
	var values, means [2]float64
	first := r.IntN(2)
	for _, side := range [2]int{first, 1 - first} {
		x := h.own[b] + shared + h.level/math.Sqrt2*r.NormFloat64()
		if side == 1 {
			x += h.adds[b]
			if b == 0 {
				x += math.Log1p(f.Effect)
			}
		}
		values[side] = math.Exp(x)
		means[side] = values[side] * math.Exp(mean(noise.Place{Round: round, Benchmark: b, Head: side == 1, Second: side != first}))
	}
	return stat.Pair{Base: values[0], Head: values[1], HeadFirst: first == 1}, stat.Pair{Base: means[0], Head: means[1], HeadFirst: first == 1}
}
