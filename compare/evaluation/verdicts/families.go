package verdicts

import (
	"math"

	"github.com/perftrack/perftrack/compare/evaluation/noise"
)

// A Family is a kind of noise. It can have its own goals in addition to those for all kinds; see
// [Family.Failures].
type Family struct {
	Name string
	Scenario
	// Alike is set if no test can distinguish the noise from a change, or if it is in fact a
	// change. There are no goals for such noise.
	Alike bool
	// Shapeless is set if an interval cannot be expected to contain the change of the true times,
	// because the two sides differ in shape or the values are rounded.
	Shapeless bool
	Close     bool    // its rate of false alarms is close to the limit
	Off       bool    // so many rounds are outliers that it is better to cap ranks
	Found     float64 // the smallest acceptable share of +5 % changes found; 0 means no goal
	Twice     float64 // the same for +10 % changes
	Mean      float64 // the largest acceptable mean number of rounds for the changed benchmark; 0 means no goal
}

// Noises returns the kinds of noise in the published table. The letters are from the audit that led
// to the choice of the procedure. Only q, added afterwards, has a memory across sides and
// benchmarks.
func Noises() []Family {
	n := func(name string, terms ...noise.Term) Family {
		return Family{Name: name, Scenario: Scenario{Term: noise.Sum(terms...)}}
	}
	white := noise.White
	return []Family{
		n("a normal, CV 1 %", white(0.01)),
		n("a normal, CV 3 %", white(0.03)),
		near(n("a normal, CV 10 %", white(0.1))),
		n("b machine in one of 2 states 10 % apart, for 3 rounds, CV 1 %", noise.MachineRegimes(2, 0.1, 3), white(0.01)),
		n("b one of 3 states, for 10 rounds", noise.MachineRegimes(3, 0.1, 10), white(0.01)),
		n("b one of 2 states, for 50 rounds", noise.MachineRegimes(2, 0.1, 50), white(0.01)),
		n("b each benchmark in one of 2 states, for 3 rounds", noise.OwnRegimes(2, 0.1, 3), white(0.01)),
		n("b each benchmark in one of 3 states, for 10 rounds", noise.OwnRegimes(3, 0.1, 10), white(0.01)),
		n("c Student t3, SD 3 %", noise.Heavier(0.03)),
		near(n("c Student t3, SD 10 %", noise.Heavier(0.1))),
		near(n("d processes of two modes, +8 % in 3 of 10, CV 1 %", noise.Modes(0.08, 0.3), white(0.01))),
		near(n("e CV of base 3 %, of head 9 %", noise.Unequal(0.03, 0.09))),
		near(n("e CV of base 9 %, of head 3 %", noise.Unequal(0.09, 0.03))),
		near(n("e CV of base 1 %, of head 3 %", noise.Unequal(0.01, 0.03))),
		near(n("e CV of base 2 %, of head 6 %", noise.Unequal(0.02, 0.06))),
		near(n("e2 CV of base 0.5 %, of head 5 %", noise.Unequal(0.005, 0.05))),
		near(n("e2 CV of base 1 %, of head 10 %", noise.Unequal(0.01, 0.1))),
		n("f each benchmark wanders by 5 %, AR(1) .8 a round, CV 1 %", noise.Wander(0.05, 0.8), white(0.01)),
		n("f sine of 5 %, period 5 rounds, CV 1 %", noise.Sine(0.05, 5), white(0.01)),
		n("g slower by 20 % over 40 rounds, CV 1 %", noise.WarmUp(0.2, 40), white(0.01)),
		n("g slower by 30 % within 10 rounds, CV 1 %", noise.WarmUp(0.3, 10), white(0.01)),
		near(n("h second of a pair +3 %, one benchmark, CV 1 %", noise.SecondSlower(0.03, 1), white(0.01))),
		n("h second of a pair +3 %, all, CV 0.5 %", noise.SecondSlower(0.03, 1<<20), white(0.005)),
		off(n("i outliers, a tenth takes 1.5 to 5 times as long, CV 1 %", noise.Outliers(0.1), white(0.01))),
		near(off(n("i the same, CV 3 %", noise.Outliers(0.1), white(0.03)))),
		quantised(n("j values in steps of 5 %, CV 3 %", white(0.03)), 0.05),
		quantised(n("j values in steps of 1 %, CV 1 %", white(0.01)), 0.01),
		n("k rounds that all share, 5 %, CV 1 %", noise.SharedRounds(0.05), white(0.01)),
		n("k sides of rounds that all share, 3 %, CV 1 %", noise.SharedSides(0.03), white(0.01)),
		near(n("l exponential tail of 3 %, of head 9 %, equal medians", noise.Skew(0.03, 0.09))),
		near(shapeless(n("l 5 % of base, 15 % of head late by 20 %, CV 1 %", noise.Tail(0.05, 0.15, 0.2), white(0.01)))),
		shapeless(alike(n("l 10 % of base, 40 % of head late by 20 %, CV 1 %", noise.Tail(0.1, 0.4, 0.2), white(0.01)))),
		near(n("m one of each pair +8 %, by a coin, CV 0.5 %", noise.OneSlow(0.08), white(0.005))),
		near(n("m one of each pair +4 %, by a coin, CV 0.5 %", noise.OneSlow(0.04), white(0.005))),
		alike(n("n a side keeps its mode (+8 %, 3 of 10) 5 rounds, CV 1 %", noise.Sticky(0.08, 0.3, 5), white(0.01))),
		alike(n("n the same, 20 rounds", noise.Sticky(0.08, 0.3, 20), white(0.01))),
		rotated(n("p layouts of 2 % a build, rotated, CV 1 %", white(0.01))),
		near(n("q a quota: a wait of 6 % every 2.5 samples, CV 0.5 %", noise.Quota(2.5, 0.06), white(0.005))),
	}
}

// common is the standard deviation of the noise common to both sides of a round in [PairNoises].
// The value is typical of fresh processes on a noisy machine.
const common = 0.15

// PairNoises returns the kinds of noise in the table of goals. They have various standard
// deviations of pairs, on a machine with single samples varying by 15 %.
func PairNoises() []Family {
	n := func(name string, terms ...noise.Term) Family {
		return Family{Name: name, Scenario: Scenario{Term: noise.Sum(terms...)}}
	}
	pairs := func(name string, sd, found, mean float64) Family {
		f := n(name, noise.Pairs(sd, common))
		f.Found, f.Mean = found, mean
		return f
	}
	return []Family{
		pairs("pair SD 0.5 %", 0.005, 0.995, 20),
		pairs("pair SD 1 %", 0.01, 0.995, 20),
		pairs("pair SD 2 %", 0.02, 0.995, 20),
		pairs("pair SD 3 %", 0.03, 0.99, 20),
		pairs("pair SD 5 %", 0.05, 0, 0),
		rotated(pairs("layouts of 2 % a build, rotated, pair SD 1 %", 0.01, 0.99, 0)),
		rotated(pairs("layouts of 2 % a build, rotated, pair SD 2 %", 0.02, 0.99, 0)),
		n("second process 3 % slower, pair SD 1 %", noise.SecondSlower(0.03, 1<<20), noise.Pairs(0.01, common)),
		n("pairs t3, SD 2 %", noise.Ratios(0.02, noise.T3), noise.Pairs(0, common)),
		n("pairs exponential, SD 2 %, median 0", noise.Ratios(0.02, noise.Exponential), noise.Pairs(0, common)),
		n("all share the round's noise of pairs, 2 %; own 1 %", noise.SharedSides(0.02/1.4142), noise.Pairs(0.01, common)),
		alike(n("AR(1) .7 of the ratio from round to round, SD 2 %", noise.RatioWander(0.02, 0.7), noise.Pairs(0, common))),
	}
}

// MeanNoises returns the kinds of noise from an audit of the procedure with means, made after the
// procedure had been chosen. In B, H and J, individual processes are slow for reasons other than
// the code.
func MeanNoises() []Family {
	n := func(name string, terms ...noise.Term) Family {
		return Family{Name: name, Scenario: Scenario{Term: noise.Sum(terms...)}}
	}
	white, all := noise.White, 1<<20
	return []Family{
		n("A pair SD 2.5 %, both wander by 12 %, AR(1) .9", noise.Pairs(0.025, 0), noise.Wander(0.12, 0.9)),
		twice(n("B each process 1.25 to 1.6 times as long with a chance of .12, CV 1 %", noise.Slow(0.12, 1.25, 1.6), white(0.01))),
		n("C pairs t2, scale 1.5 %", noise.Ratios(0.015, noise.T2), noise.Pairs(0, common)),
		n("D pairs Cauchy, scale 1 %", noise.Ratios(0.01, noise.Cauchy), noise.Pairs(0, common)),
		n("E CV of base .7 %, of head 4 %", noise.Unequal(0.007, 0.04)),
		n("F second of a pair wanders by 5 %, AR(1) .95, CV 1 %", noise.OrderWander(0.05, 0.95), white(0.01)),
		n("G slower by 40 % over 40 rounds, second of a pair +2 %, CV 1.5 %", noise.WarmUp(0.4, 40), noise.SecondSlower(0.02, all), white(0.015)),
		n("H a quota: a wait of 12 % every 1.7 samples, CV 1 %", noise.Quota(1.7, 0.12), white(0.01)),
		n("I all share the round's noise of pairs, 3 %, CV .5 %", noise.SharedSides(0.03/math.Sqrt2), white(0.005)),
		twice(n("J processes of two modes, +15 % in half, CV 1 %", noise.Modes(0.15, 0.5), white(0.01))),
		n("K pair SD from 1 to 8 %, another one each round", noise.Varying(0.01, 0.08), noise.Pairs(0, common)),
	}
}

// meanNoise describes how the mean of all slices of a round differs from the typical slice. A fifth
// of the processes have slices that are far off.
var meanNoise = noise.Sum(noise.White(0.02), noise.Tail(0.2, 0.2, 0.15))

// twice sets the goal to find at least 85 % of the changes by 10 %.
func twice(f Family) Family {
	f.Twice = 0.85
	return f
}

func quantised(f Family, step float64) Family {
	f.Quantum, f.Shapeless = step, true
	return f
}

func rotated(f Family) Family {
	f.Layout, f.LayoutCV = Rotated, 0.02
	return f
}

func alike(f Family) Family {
	f.Alike = true
	return f
}

func shapeless(f Family) Family {
	f.Shapeless = true
	return f
}

func off(f Family) Family {
	f.Off = true
	return f
}

func near(f Family) Family {
	f.Close = true
	return f
}
