package stat

import "math"

// A Plan says after which rounds a trial may be decided and which share of the
// error rate each of these looks may spend. The shares, Reserve and Further sum to 1 at
// most: then, by the union bound over the looks, the error rate of the whole trial
// holds however the looks depend on each other and wherever the trial ends
// (alpha spending: Lan and DeMets, Biometrika 70, 1983).
type Plan struct {
	Looks []Look // by increasing rounds
	// Reserve is the share kept for trials that are continued beyond the last look. The
	// ends of their sessions are looks, and spend it in proportion to the rounds: after n
	// rounds 1 - last/n of it may be spent, in as many sessions as it takes.
	//
	// In Blocks the r-th continuation (r = 1, 2, ...) ends with a look that spends 2^-r.
	Reserve float64
	// Step is how many rounds a continuation has, when forecasts are made.
	Step int
	// Further is the share kept for other trials of the same two commits: the n-th has
	// 2^-n of it for all of its own looks.
	Further float64
}

// A Look is a round after which the open hypotheses are decided.
type Look struct {
	Rounds int
	Share  float64 // of the error rate
}

// CheckPlan is the plan of `perftrack check`. Nine tenths are spent within 48 rounds; a quarter
// at the first look, which so can flag a single benchmark, and then more with each look: a later
// one is for noise that the ones before could not see through.
//
// After n rounds no test of pairs has a p below 2^-n. What a look could not flag among
// so many hypotheses, whatever was measured, is not tested there: its share is carried
// to the first look that can. That is the one after 9 rounds for one benchmark, after 10 for 2, 11 for 4, 12 for
// 10, 13 for 22, 14 for 49, 15 for 104, 16 for 220 and 17 for up to 471, where all have means ([meanPart]). The
// looks between are for that alone, and have small shares. The interval that proves "the same" has the shares as
// they are.
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

// typicalPlan is the plan of checks that [Typical] decides.
func typicalPlan() Plan {
	p := BlocksPlan()
	p.Step = 20
	return p
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

// reserved returns how much of the reserve may be spent up to a round, in all.
func (p Plan) reserved(round int) float64 {
	if last := p.Last(); round > last {
		return p.Reserve * (1 - float64(last)/float64(round))
	}
	return 0
}

// FurtherShare returns what the n-th further trial of the same two commits may spend.
func (p Plan) FurtherShare(n int) float64 { return math.Ldexp(p.Further, -n) }
