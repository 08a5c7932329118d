package noise

import (
	"math"
	"math/rand/v2"
)

// Skewed is gamma noise with a long right tail, in which three of ten processes settle in a slower
// mode. The drift is a random saw-tooth, as on a machine that heats up and is throttled.
var Skewed = Family{"gamma, two modes", func(drift, tau float64) Machine {
	return &skewed{
		white: math.Sqrt(0.6 * (1 - drift)), mode: math.Sqrt(0.4 * (1 - drift) / (slowShare * (1 - slowShare))),
		drift: math.Sqrt(12 * drift), tau: tau, // the variance of a saw-tooth from 0 to 1 is 1/12
	}
}}

const slowShare = 0.3

type skewed struct {
	r                  *rand.Rand
	white, mode, drift float64
	tau                float64
	offset             float64
	heat, rise         float64
}

func (m *skewed) Boot(r *rand.Rand) {
	m.r = r
	m.heat = r.Float64()
	m.rise = m.newRise()
	m.Start()
}

// newRise returns how much a tooth rises in each slot. The mean length of a tooth is two tau.
func (m *skewed) newRise() float64 { return 1 / (m.tau * (1 + 2*m.r.Float64())) }

func (m *skewed) Start() {
	m.offset = 0
	if m.r.Float64() < slowShare {
		m.offset = m.mode
	}
}

func (m *skewed) Sample() float64 {
	if m.heat += m.rise; m.heat >= 1 {
		m.heat, m.rise = 0, m.newRise()
	}
	// This is gamma distributed with shape 2 and then standardized.
	g := (m.r.ExpFloat64() + m.r.ExpFloat64() - 2) / math.Sqrt2
	return m.white*g + m.offset + m.drift*m.heat
}

// Heavy is noise from Student's t distribution with 3 degrees of freedom on a machine that switches
// between regimes. Each regime has its own level and lasts tau slots on average. One regime in
// three is three times as noisy as the others.
var Heavy = Family{"t3, regimes", func(drift, tau float64) Machine {
	return &heavy{white: math.Sqrt(0.8 * (1 - drift)), process: math.Sqrt(0.2 * (1 - drift)), drift: math.Sqrt(drift), leave: 1 / tau}
}}

type heavy struct {
	r                     *rand.Rand
	white, process, drift float64
	leave                 float64 // probability of a switch in each slot
	offset, level, scale  float64
}

// calm makes the mean variance over the regimes 1: (2*calm² + (3*calm)²) / 3.
var calm = math.Sqrt(3.0 / 11)

func (m *heavy) Boot(r *rand.Rand) {
	m.r = r
	m.change()
	m.Start()
}

func (m *heavy) change() {
	m.level, m.scale = m.r.NormFloat64(), calm
	if m.r.IntN(3) == 0 {
		m.scale = 3 * calm
	}
}

func (m *heavy) Start() { m.offset = m.process * m.r.NormFloat64() }

func (m *heavy) Sample() float64 {
	if m.r.Float64() < m.leave {
		m.change()
	}
	return m.scale*m.white*T3(m.r) + m.offset + m.drift*m.level
}

// T3 draws from Student's t distribution with 3 degrees of freedom, scaled to a variance of 1
// instead of 3.
func T3(r *rand.Rand) float64 {
	chi := 2*r.ExpFloat64() + square(r.NormFloat64())
	return r.NormFloat64() / math.Sqrt(chi/3) / math.Sqrt(3)
}

func square(x float64) float64 { return x * x }
