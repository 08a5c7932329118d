package stat

import "math"

// The rules of [Pairs]: an exact test of the rounds' log ratios, and its dual interval.
//
// Let both sides of a benchmark behave the same, and a fair coin decide in each round which is
// measured first. Then, given the two values of every round without their order, the sides of
// the rounds are coins. Whatever is the same when the sides of a round change places may be used to
// plan: how many hypotheses there are, which looks can reject one, whether the values
// are compared as ratios. Given all of that each p is exact, and the error rates add up over
// hypotheses (Holm) and looks (their shares), however these depend on each other.
type pairs struct {
	s    *Sequence
	test SignedRank

	looked  int        // the round of the last look
	spent   float64    // of the reserve
	carried [2]float64 // shares of looks that could reject nothing, of known and unknown hypotheses

	// What was shown at the end of a session between two looks: its share, and all that
	// was so taken from the look to come.
	shown, taken      float64
	shownAt, takenFor int
}

func (p *pairs) begin() {
	*p = pairs{s: p.s, test: p.test}
}

// look spends the share of a look that the plan has at this round.
func (p *pairs) look() {
	if share := p.s.opt.Plan.share(p.s.round); share > 0 {
		p.lookWith(share, share-p.takenOf(p.s.round))
	}
}

// end is a look beyond the last one of the plan, paid from what may be spent of the reserve by
// now. Between two looks it is none, and an interval that is then shown is half paid by the
// next one: what is shown again and again errs no more often than it says.
func (p *pairs) end() {
	plan := p.s.opt.Plan
	if share := plan.reserved(p.s.round) - p.spent; share > 0 {
		p.spent += share
		p.lookWith(share, share)
	} else if next := plan.NextLook(p.s.round); next > 0 && p.s.round > max(p.looked, p.shownAt) {
		p.shown, p.shownAt = p.toShow(), p.s.round
		p.taken, p.takenFor = p.takenOf(next)+p.shown, next
	}
	for i := range p.s.series {
		p.decideRepeated(&p.s.series[i])
	}
}

// takenOf is what intervals that were shown have of the share of a look to come.
func (p *pairs) takenOf(look int) float64 {
	if p.takenFor == look {
		return p.taken
	}
	return 0
}

// toShow is the share of an interval that is shown now, where no look is due; 0 if there is
// none left.
func (p *pairs) toShow() float64 {
	plan := p.s.opt.Plan
	switch next := plan.NextLook(p.s.round); {
	case p.shownAt == p.s.round:
		return p.shown
	case next > 0:
		return (plan.share(next) - p.takenOf(next)) / 2
	}
	return plan.reserved(p.s.round) - p.spent
}

// lookWith spends a share of the error rate on flags, and one on intervals, for the series that
// are open.
func (p *pairs) lookWith(share, interval float64) {
	s := p.s
	p.looked = s.round
	for i := range s.series {
		st := &s.series[i]
		p.decideRepeated(st)
		if st.round == 0 {
			p.measure(st, interval*s.opt.Alpha)
		}
	}
	known, unknown := p.families()
	for i, m := range [2]int{known, unknown} {
		isUnknown, sharing := i == 1, p.sharing(known, unknown, i == 1)
		share := p.carried[i] + share
		if !s.opt.canFlag(leastP(s.round), sharing, share) {
			p.carried[i] = share
			continue
		}
		p.carried[i] = 0
		p.reachedWith(isUnknown, sharing, share)
		part := share * s.opt.Part * Weight(known, unknown, isUnknown)
		m -= p.exact(isUnknown)
		s.correct(isUnknown, m, part, worse)
		s.correct(isUnknown, m, part, better)
	}
	for i := range s.series {
		if st := &s.series[i]; st.tested() {
			p.judge(st)
		}
	}
}

// families returns how many hypotheses there are of either kind, for the plan: all series that
// were measured but for those that are equal on both sides so far. A count that differs is one
// for good, also when it was believed and left, since which counts do differ is nothing that
// the coins decide.
func (p *pairs) families() (known, unknown int) {
	for i := range p.s.series {
		switch st := &p.s.series[i]; {
		case st.rounds(p.s.round) == 0:
		case st.round > 0 && st.decision.Exact && st.decision.Outcome == Same:
		case st.round == 0 && st.equal(p.s.round):
		case st.Unknown:
			unknown++
		default:
			known++
		}
	}
	return known, unknown
}

// sharing is among how many hypotheses all of Alpha would be divided.
func (p *pairs) sharing(known, unknown int, isUnknown bool) float64 {
	return Sharing(known, unknown, isUnknown) / p.s.opt.Part
}

// exact counts the series that differ and were decided by values that repeat. They are
// rejected as Holm's step-down has it, or their rule erred.
func (p *pairs) exact(isUnknown bool) (n int) {
	for i := range p.s.series {
		st := &p.s.series[i]
		if st.Unknown == isUnknown && st.round > 0 && st.decision.Exact && st.decision.Outcome != Same {
			n++
		}
	}
	return n
}

func (p *pairs) tested() int {
	known, unknown := p.families()
	return known + unknown - p.exact(false) - p.exact(true)
}

// reachedWith notes that a look was held that could have flagged the series of a family that
// have enough rounds.
func (p *pairs) reachedWith(isUnknown bool, sharing, share float64) {
	for i := range p.s.series {
		st := &p.s.series[i]
		if st.Unknown == isUnknown && p.s.opt.canFlag(leastP(st.rounds(p.s.round)), sharing, share) {
			st.reached = true
		}
	}
}

// judge decides an open series, if its pairs allow it. An estimate as large as what is reported
// is never called the same, however narrow its interval: what one look misses, because of a
// late sample or two, the next one finds.
func (p *pairs) judge(st *state) {
	var outcome Outcome
	var cause Cause
	f := neither
	way := st.beyond()
	switch {
	case way != 0 && st.now.adjusted[side(way)] <= p.s.opt.Alpha:
		outcome, f = Higher, worse
		if way < 0 {
			outcome = Lower
		}
		if st.side(worse) != side(way) {
			f = better
		}
	case way == 0 && st.proven():
		outcome = Same
		if st.small() {
			cause = TooSmall
		}
	default:
		return
	}
	st.round = p.s.round
	st.describe()
	d := &st.decision
	d.Outcome, d.Cause, d.Round, d.family = outcome, cause, p.s.round, f
}

// beyond returns +1 or -1 where the estimate lies up or down by at least what is reported,
// else 0.
func (st *state) beyond() int {
	m := &st.now
	if f := st.Negligible.Size; f > 0 && math.Abs(m.size.Center) <= f {
		return 0
	}
	if m.zero { // no relative size to fall short of, but a direction
		if way := Sign(m.size.Center); way == Sign(m.shift.Center) {
			return way
		}
		return 0
	}
	c := m.relative(m.shift.Center)
	if math.Abs(c) < st.floor.Least {
		return 0
	}
	return Sign(c)
}

// proven reports whether the interval leaves no room for a change that
// matters: two one-sided tests (Schuirmann 1987).
func (st *state) proven() bool {
	return st.small() || st.bound() < st.Threshold || st.now.shift.Lo == 0 && st.now.shift.Hi == 0
}

// small reports whether the change is below what matters in the unit itself.
func (st *state) small() bool {
	f := st.Negligible.Size
	return f > 0 && max(-st.now.size.Lo, st.now.size.Hi) <= f && (st.now.size.Lo != 0 || st.now.size.Hi != 0)
}

// bound is the largest change either way that is left possible, as a fraction
// of the smaller value.
func (st *state) bound() float64 {
	most := max(-st.now.shift.Lo, st.now.shift.Hi, 0)
	if most == 0 {
		return 0
	}
	return math.Expm1(st.now.relative(most) + st.floor.Slack)
}

// describe fills in the numbers of a decision from the last measurement.
func (st *state) describe() {
	d, m := &st.decision, &st.now
	*d = Decision{
		Rounds: m.pairs, Threshold: st.Threshold, Noise: st.Noise, P: 1, AdjustedP: 1,
		Shift: Shift{Lo: math.Inf(-1), Hi: math.Inf(1)}, Bound: math.Inf(1), Capped: st.Capped,
		Mean: Mean{Bound: math.Inf(1), AdjustedP: 1},
	}
	if m.cause != NoCause {
		return
	}
	d.Tested, d.Bound = !m.equal, st.bound()
	switch {
	case m.zero:
		d.Shift = m.size
	case m.differ:
		d.Shift = m.shift
	default:
		d.Spread = m.spread
		d.Shift = Shift{Center: min(math.Expm1(m.shift.Center), math.MaxFloat64), Lo: m.shift.Lo, Hi: math.Expm1(m.shift.Hi)}
		if !math.IsInf(d.Shift.Lo, -1) {
			d.Shift.Lo = math.Expm1(d.Shift.Lo)
		}
	}
	d.P, d.AdjustedP = m.up, m.adjusted[up]
	if d.Shift.Center < 0 {
		d.P, d.AdjustedP = m.down, m.adjusted[down]
	}
}
