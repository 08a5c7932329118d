package stat

import "math"

// A Plan says after which rounds a trial may be decided and which share of the
// error rate each of these looks may spend. The shares, Reserve and Further sum to 1:
// then, by the union bound over the looks, the error rate of the whole trial
// holds however the looks depend on each other and wherever the trial ends
// (alpha spending: Lan and DeMets, Biometrika 70, 1983).
type Plan struct {
	Looks []Look // by increasing rounds
	// Reserve is the share kept for trials that are continued: the r-th
	// continuation (r = 1, 2, ...) ends with a look that spends 2^-r of it.
	Reserve float64
	// Further is the share kept for other trials of the same two commits: the n-th has
	// 2^-n of it for all of its own looks.
	Further float64
}

// A Look is a round after which the open hypotheses are decided.
type Look struct {
	Rounds int
	Share  float64 // of the error rate
}

// CheckPlan is the plan of `perftrack check`. Nine tenths are spent within 40
// rounds; more of it at the first look, where most changes are found, and at
// the last two, which are what a noisy benchmark has.
func CheckPlan() Plan {
	return Plan{
		Looks:   []Look{{10, 0.225}, {15, 0.1125}, {20, 0.1125}, {30, 0.225}, {40, 0.225}},
		Reserve: 0.05,
		Further: 0.05,
	}
}

// FixedPlan is the plan of a trial of fixed length, which is decided once, at
// its end, and cannot be continued.
func FixedPlan(rounds int) Plan { return Plan{Looks: []Look{{rounds, 1}}} }

// NextLook returns the first look after this many rounds, 0 if there is none.
func (p Plan) NextLook(rounds int) int {
	for _, l := range p.Looks {
		if l.Rounds > rounds {
			return l.Rounds
		}
	}
	return 0
}

// Last is the round of the last look.
func (p Plan) Last() int { return p.Looks[len(p.Looks)-1].Rounds }

// share returns what the look after this round may spend; 0 if none is due.
func (p Plan) share(round int) float64 {
	for _, l := range p.Looks {
		if l.Rounds == round {
			return l.Share
		}
	}
	return 0
}

// continuation returns what the look at the end of the r-th continuation may
// spend beyond what is due there anyway.
func (p Plan) continuation(r int) float64 { return math.Ldexp(p.Reserve, -r) }

// FurtherShare returns what the n-th further trial of the same two commits may spend.
func (p Plan) FurtherShare(n int) float64 { return math.Ldexp(p.Further, -n) }

// ahead returns what a look after this round, which is still to come, may spend. Beyond the
// last look it is that of a continuation; where none is kept, of a trial planned so long.
func (p Plan) ahead(round, continuations int) float64 {
	switch {
	case round <= p.Last():
		return p.share(round)
	case p.Reserve > 0:
		return p.continuation(continuations + 1)
	}
	return p.Looks[len(p.Looks)-1].Share
}

// future returns the share of the next look that a trial with this many rounds
// and continuations can have: what its next result will be held against.
func (p Plan) future(rounds, continuations int) float64 {
	if next := p.NextLook(rounds); next > 0 {
		return p.share(next)
	}
	if p.Reserve > 0 {
		return p.continuation(continuations + 1)
	}
	return p.Looks[len(p.Looks)-1].Share // only a new trial of the same plan
}
