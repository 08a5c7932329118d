package noise

import (
	"math"
	"math/rand/v2"
)

// A Machine makes the noise of what is measured on it, in units of the
// coefficient of variation of the benchmark, on the logarithmic scale. Time
// passes in slots, of one sample each.
type Machine interface {
	// Boot starts another session, all of whose randomness comes from r.
	Boot(r *rand.Rand)
	// Start starts a process: the samples that follow are its.
	Start()
	// Sample takes one sample.
	Sample() float64
}

// A Family is a kind of noise. New families need no change anywhere else.
type Family struct {
	Name string
	// New returns a machine of which the share drift of the variance is common
	// to all benchmarks and changes slowly, on a scale of tau slots.
	New func(drift, tau float64) Machine
}

// Families are the kinds of noise that the tables use.
var Families = []Family{Normal, Skewed, Heavy}

// Normal is log-normal noise: of what is not drift, four parts in five are
// independent and one is an offset of each process; the drift is an
// Ornstein-Uhlenbeck process; 2 % of the samples are late by an exponential
// time of five standard deviations in the mean.
var Normal = Family{"normal", func(drift, tau float64) Machine {
	return &normal{
		white: math.Sqrt(0.8 * (1 - drift)), process: math.Sqrt(0.2 * (1 - drift)),
		drift: math.Sqrt(drift), keep: math.Exp(-1 / tau),
	}
}}

const (
	spikeShare = 0.02
	spikeMean  = 5
)

type normal struct {
	r                     *rand.Rand
	white, process, drift float64 // standard deviations
	keep                  float64 // correlation of the drift of successive slots
	offset, level         float64
}

func (m *normal) Boot(r *rand.Rand) {
	m.r = r
	m.level = r.NormFloat64()
	m.Start()
}

func (m *normal) Start() { m.offset = m.process * m.r.NormFloat64() }

func (m *normal) Sample() float64 {
	m.level = m.keep*m.level + math.Sqrt(1-m.keep*m.keep)*m.r.NormFloat64()
	x := m.white*m.r.NormFloat64() + m.offset + m.drift*m.level
	if m.r.Float64() < spikeShare {
		x += spikeMean * m.r.ExpFloat64()
	}
	return x
}
