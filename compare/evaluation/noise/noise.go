package noise

import (
	"math"
	"math/rand/v2"
)

// A Machine produces the noise of its samples on the logarithmic scale, in units of the benchmark's
// coefficient of variation. Time passes in slots of one sample each.
type Machine interface {
	// Boot starts a new session. All randomness comes from r.
	Boot(r *rand.Rand)
	// Start starts the process of the following samples.
	Start()
	// Sample returns the noise of one sample.
	Sample() float64
}

// A Family is a kind of noise. Adding a family requires no changes elsewhere.
type Family struct {
	Name string
	// New returns a machine. drift is the share of its variance common to all benchmarks. It
	// changes slowly, on a scale of tau slots.
	New func(drift, tau float64) Machine
}

// Families are the kinds of noise in the tables.
var Families = []Family{Normal, Skewed, Heavy}

// Normal is log-normal noise. Of the variance without the drift, four fifths are independent and
// one fifth is an offset of each process. The drift is an Ornstein-Uhlenbeck process. 2 % of the
// samples are delayed by an exponentially distributed time with a mean of five standard deviations.
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
	keep                  float64 // correlation of the drift in successive slots
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
