package stat

import "math"

// BlocksPlan is the plan of a check that was decided in blocks, and that of one that was decided by
// [Typical] but for this: what
// continuations have of the reserve is halved each time, and no share is carried.
func BlocksPlan() Plan {
	return Plan{
		Looks:   []Look{{10, 0.225}, {15, 0.1125}, {20, 0.1125}, {30, 0.225}, {40, 0.225}},
		Reserve: 0.05,
		Further: 0.05,
	}
}

// continuation returns what the look at the end of the r-th continuation may
// spend beyond what is due there anyway.
func (p Plan) continuation(r int) float64 { return math.Ldexp(p.Reserve, -r) }

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
