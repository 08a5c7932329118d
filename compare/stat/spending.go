package stat

import "math"

// A Plan sets the rounds after which a trial may be decided, and the share of the error rate for
// each of these looks. The shares, Reserve and Further sum to at most 1. So, by the union bound
// over the looks, the error rate of the whole trial holds however the looks depend on each other
// and wherever the trial ends (alpha spending: Lan and DeMets, Biometrika 70, 1983).
type Plan struct {
	Looks []Look // in order of increasing rounds
	// Reserve is the share for trials continued beyond the last look. The ends of their sessions
	// are looks, too, and spend the reserve little by little: after n rounds, the fraction 1-last/n
	// of it may be spent, in any number of sessions.
	Reserve float64
	// Step is the number of rounds per continuation in forecasts.
	Step int
	// Further is the share for further trials of the same two commits. The n-th of them gets 2^-n
	// of it for all of its looks.
	Further float64
}

// A Look is a round after which the open hypotheses are decided.
type Look struct {
	Rounds int
	Share  float64 // share of the error rate
}

// CheckPlan returns the plan of `perftrack check`. Nine tenths of the error rate are spent within
// 48 rounds: a quarter at the first look, enough to flag a single benchmark, and the rest at later
// looks, for changes hidden by noise until then.
//
// After n rounds, no test of pairs has a p below 2^-n. A look that is too early to flag any of the
// hypotheses tests nothing, and its share is carried over to the first look that can. If all
// benchmarks have means ([meanPart]), the first such look comes after 9 rounds for one benchmark,
// 10 rounds for 2 benchmarks, 11 for 4, 12 for 10, 13 for 22, 14 for 49, 15 for 104, 16 for 220,
// and 17 for up to 471. The looks between 9 and 17 rounds only serve this purpose and have small
// shares. The interval proving "the same" uses the shares without carrying any over.
func CheckPlan() Plan {
	return Plan{
		Looks: []Look{
			{9, 0.25}, {10, 0.01}, {11, 0.01}, {12, 0.05}, {13, 0.02}, {14, 0.04}, {15, 0.02}, {16, 0.02}, {17, 0.03},
			{21, 0.08}, {27, 0.1}, {34, 0.12}, {48, 0.15},
		},
		Reserve: 0.05,
		Step:    20,
		Further: 0.05,
	}
}

// FixedPlan returns the plan of a trial of fixed length, decided once, at its end, and never
// continued.
func FixedPlan(rounds int) Plan { return Plan{Looks: []Look{{rounds, 1}}} }

// NextLook returns the round of the first look after the given number of rounds, or 0 after the
// last look.
func (p Plan) NextLook(rounds int) int {
	for _, l := range p.Looks {
		if l.Rounds > rounds {
			return l.Rounds
		}
	}
	return 0
}

// Last returns the round of the last look.
func (p Plan) Last() int { return p.Looks[len(p.Looks)-1].Rounds }

// share returns the share of the look at this round, or 0 without a look.
func (p Plan) share(round int) float64 {
	for _, l := range p.Looks {
		if l.Rounds == round {
			return l.Share
		}
	}
	return 0
}

// reserved returns how much of the reserve may be spent in total up to the given round.
func (p Plan) reserved(round int) float64 {
	if last := p.Last(); round > last {
		return p.Reserve * (1 - float64(last)/float64(round))
	}
	return 0
}

// FurtherShare returns the share of the n-th further trial of the same two commits.
func (p Plan) FurtherShare(n int) float64 { return math.Ldexp(p.Further, -n) }
