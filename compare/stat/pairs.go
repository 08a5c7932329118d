package stat

import "math"

// pairs decides a trial by an exact test of the rounds' log ratios and the test's dual interval.
//
// Assume both sides of a benchmark behave the same and a fair coin decides in each round which side
// is measured first. Then, given the two values of each round without their order, coins decide
// which value belongs to which side. Everything that does not change when the sides of a round are
// swapped may be used for planning: the number of hypotheses, the looks that can reject one, and
// whether values are compared as ratios. Given all of this, each p is exact, and the error rates
// add up over hypotheses (Holm) and looks (their shares), however these depend on each other.
type pairs struct {
	s    *Sequence
	test SignedRank
	sum  clippedSum

	looked  int                  // the round of the last look
	spent   float64              // part of the reserve already spent
	carried [len(groups)]float64 // shares of looks that could not reject anything, by group

	// shown is the share spent on an interval shown at the end of a session between two looks, in
	// round shownAt. taken is the sum of all shares that such intervals have taken from the look in
	// round takenFor.
	shown, taken      float64
	shownAt, takenFor int
}

// begin prepares for a new trial, keeping only the tables.
func (p *pairs) begin(s *Sequence) { *p = pairs{s: s, test: p.test, sum: p.sum} }

// look spends the share of the look due at this round, if any.
func (p *pairs) look() {
	if share := p.s.opt.Plan.share(p.s.round); share > 0 {
		p.lookWith(share, share-p.takenOf(p.s.round))
	}
}

// end ends a session. After the last look of the plan, the end of a session is another look and
// spends the part of the reserve released by then. Between two looks it is not a look, and the
// interval shown now takes half of the next look's share, so that repeated intervals err no more
// often than promised.
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

// takenOf returns the part of a future look's share that intervals already shown have taken.
func (p *pairs) takenOf(look int) float64 {
	if p.takenFor == look {
		return p.taken
	}
	return 0
}

// toShow returns the share available for an interval shown now, when no look is due, or 0 if
// nothing is left.
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

// lookWith decides the open series. It spends the fraction share of the error rate on flags and the
// fraction interval on intervals.
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

// reachedWith records the series of a group with enough rounds for this look to flag them.
func (p *pairs) reachedWith(g group, sharing, share float64) {
	for i := range p.s.series {
		st := &p.s.series[i]
		if !g.mean && st.Unknown == g.unknown && p.s.opt.canFlag(leastP(st.rounds(p.s.round)), sharing, share) {
			st.reached = true
		}
	}
}

// judge decides an open series if both its typical rounds and its means allow it.
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

// beyond returns +1 or -1 if the estimate is above or below 0 by at least the smallest change to
// report, and 0 otherwise.
func (st *state) beyond() int {
	m := &st.now
	if f := st.Negligible.Size; f > 0 && math.Abs(m.size.Center) <= f {
		return 0
	}
	if m.zero { // no relative size could be too small, but there is a direction
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

// proven reports whether the interval excludes every change that matters. This amounts to two
// one-sided tests (Schuirmann 1987).
func (st *state) proven() bool {
	return st.small() || st.bound(&st.now) < st.Threshold || st.now.shift.Lo == 0 && st.now.shift.Hi == 0
}

// small reports whether the change is negligible in the unit itself.
func (st *state) small() bool {
	f := st.Negligible.Size
	return f > 0 && max(-st.now.size.Lo, st.now.size.Hi) <= f && (st.now.size.Lo != 0 || st.now.size.Hi != 0)
}

// bound returns the largest change within the interval, in either direction, as a fraction of the
// smaller value.
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

// relativeShift turns a shift of logarithms into a shift of ratios.
func relativeShift(s Shift) Shift {
	out := Shift{Center: min(math.Expm1(s.Center), math.MaxFloat64), Lo: s.Lo, Hi: math.Expm1(s.Hi)}
	if !math.IsInf(s.Lo, -1) {
		out.Lo = math.Expm1(s.Lo)
	}
	return out
}
