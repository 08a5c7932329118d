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

	looked  int                  // the round of the last look
	spent   float64              // of the reserve
	carried [len(groups)]float64 // shares of looks that could reject nothing, by group

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
			p.measureMean(st, interval*s.opt.Alpha)
		}
	}
	n := p.sizes()
	for i, g := range groups {
		if g.mean && n[i] == 0 {
			continue
		}
		sharing, share := n.sharing(i, s.opt.Part), p.carried[i]+share
		if !s.opt.canFlag(leastP(s.round), sharing, share) {
			p.carried[i] = share
			continue
		}
		p.carried[i] = 0
		p.reachedWith(g, sharing, share)
		m, part := n[i]-p.exact(g), share*s.opt.Part*n.weight(i)
		s.correct(g, m, part, worse)
		s.correct(g, m, part, better)
	}
	for i := range s.series {
		if st := &s.series[i]; st.round == 0 && st.now.cause == NoCause {
			p.judge(st)
		}
	}
}

// reachedWith notes that a look was held that could have flagged the series of a family that
// have enough rounds.
func (p *pairs) reachedWith(g group, sharing, share float64) {
	for i := range p.s.series {
		st := &p.s.series[i]
		if !g.mean && st.Unknown == g.unknown && p.s.opt.canFlag(leastP(st.rounds(p.s.round)), sharing, share) {
			st.reached = true
		}
	}
}

// judge decides an open series, if what it says of its typical rounds and of its means allows it.
func (p *pairs) judge(st *state) {
	alpha := p.s.opt.Alpha
	typical, mean := st.typically(alpha), st.onAverage(alpha)
	f, byMean := st.joined(typical, mean)
	if st.byMean = byMean; f.outcome == Open {
		return
	}
	st.round = p.s.round
	st.describe()
	st.rejected = [2]family{typical.family, mean.family}
	d := &st.decision
	d.Outcome, d.Cause, d.Round = f.outcome, f.cause, p.s.round
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
	return st.small() || st.bound(&st.now) < st.Threshold || st.now.shift.Lo == 0 && st.now.shift.Hi == 0
}

// small reports whether the change is below what matters in the unit itself.
func (st *state) small() bool {
	f := st.Negligible.Size
	return f > 0 && max(-st.now.size.Lo, st.now.size.Hi) <= f && (st.now.size.Lo != 0 || st.now.size.Hi != 0)
}

// bound is the largest change either way that is left possible, as a fraction
// of the smaller value.
func (st *state) bound(m *measurement) float64 {
	most := max(-m.shift.Lo, m.shift.Hi, 0)
	if most == 0 {
		return 0
	}
	return math.Expm1(m.relative(most) + st.floor.Slack)
}

// describe fills in the numbers of a decision from the last measurement.
func (st *state) describe() {
	d, m := &st.decision, &st.now
	*d = Decision{
		Rounds: m.pairs, Threshold: st.Threshold, Noise: st.Noise, P: 1, AdjustedP: 1,
		Shift: Shift{Lo: math.Inf(-1), Hi: math.Inf(1)}, Bound: math.Inf(1), Capped: m.capped,
		ByMean: st.byMean,
	}
	st.describeMean()
	if m.cause != NoCause {
		return
	}
	d.Tested, d.Bound = !m.equal, st.bound(m)
	switch {
	case m.zero:
		d.Shift = m.size
	case m.differ:
		d.Shift = m.shift
	default:
		d.Spread = m.spread
		d.Shift = relativeShift(m.shift)
	}
	d.P, d.AdjustedP = m.up, m.adjusted[up]
	if d.Shift.Center < 0 {
		d.P, d.AdjustedP = m.down, m.adjusted[down]
	}
}

// relativeShift turns one of logarithms into one of ratios.
func relativeShift(s Shift) Shift {
	out := Shift{Center: min(math.Expm1(s.Center), math.MaxFloat64), Lo: s.Lo, Hi: math.Expm1(s.Hi)}
	if !math.IsInf(s.Lo, -1) {
		out.Lo = math.Expm1(s.Lo)
	}
	return out
}
