package stat

import (
	"iter"
	"math"
)

// maxNeed stands for a number of rounds that would never be enough.
const maxNeed = 1_000_000

// reachLimit is how many rounds ahead a look is sought that could decide a series: who needs
// more has to make the machine quieter, and no number of rounds tells them that.
const reachLimit = 1000

// pairsMargin is the relative error of the spread of n rounds, as a multiple of 1/√n: one
// standard error of [Scatter].
const pairsMargin = 0.76

// A prospect is a look that a trial would have if it went on, with what it could spend on flags,
// 0 where it could flag nothing, and on intervals.
type prospect struct {
	round            int
	flags, intervals float64
}

// ahead are the looks to come of a group whose hypotheses share the error rate with so many: those of the plan, and then the ends of continuations that go on until one
// decides. Where nothing is kept for these, the looks are those of other trials, planned so
// long.
func (p *pairs) ahead(group int, sharing float64) iter.Seq[prospect] {
	plan, carried, spent := p.s.opt.Plan, p.carried[group], p.spent
	return func(yield func(prospect) bool) {
		offer := func(round int, share, interval float64) bool {
			carried += share
			look := prospect{round: round, intervals: interval}
			if p.s.opt.canFlag(leastP(round), sharing, carried) {
				look.flags, carried = carried, 0
			}
			return yield(look)
		}
		round := p.s.round
		for next := plan.NextLook(round); next > 0; next = plan.NextLook(round) {
			if !offer(next, plan.share(next), plan.share(next)-p.takenOf(next)) {
				return
			}
			round = next
		}
		step := max(plan.Step, 1)
		for round += step; round <= p.s.round+reachLimit; round += step {
			share := plan.reserved(round) - spent
			spent += share
			if plan.Reserve == 0 {
				carried, share = 0, plan.Looks[len(plan.Looks)-1].Share
			}
			if !offer(round, share, share) {
				return
			}
		}
	}
}

// leave describes what is open, as of all its rounds: at a look by the interval that it had,
// between two with one that is paid by the next.
func (p *pairs) leave() {
	n, share := p.sizes(), p.toShow()
	for i := range p.s.series {
		st := &p.s.series[i]
		if st.round != 0 {
			continue
		}
		if p.s.round > p.looked && share > 0 || p.looked == 0 {
			typical, mean := st.now.adjusted, st.mean.adjusted
			p.measure(st, share*p.s.opt.Alpha)
			p.measureMean(st, share*p.s.opt.Alpha)
			if p.looked > 0 {
				st.now.adjusted, st.mean.adjusted = typical, mean // only looks correct for their family
			}
		}
		st.describe()
		d, own := &st.decision, groupOf(st.Unknown, false)
		d.Cause, d.Reach = st.now.cause, p.reach(st, n.sharing(own, p.s.opt.Part))
		switch {
		case d.Cause != NoCause:
		case st.byMean:
			of := groupOf(st.Unknown, true)
			d.Need, d.Cause = p.needOfMean(st, of, n.sharing(of, p.s.opt.Part))
		default:
			d.Need, d.Cause = p.need(st, n.sharing(own, p.s.opt.Part))
		}
	}
}

// reach returns after how many rounds of its own an open series can first be flagged, if it is
// measured in every round from now on; 0 if a look was held that could have, or if it is
// not for want of rounds that nothing can be said of it.
func (p *pairs) reach(st *state, sharing float64) int {
	have := st.rounds(p.s.round)
	if n, ok := p.believed(st); ok {
		return n
	}
	if cause := st.now.cause; st.reached || cause != NoCause {
		return 0
	}
	for look := range p.ahead(groupOf(st.Unknown, false), sharing) {
		own := have + look.round - p.s.round
		if p.s.opt.canFlag(leastP(own), sharing, look.flags) {
			return own
		}
	}
	return have + reachLimit
}

// believed returns how many rounds it takes to believe an open series by its values, if they go
// on as they are.
func (p *pairs) believed(st *state) (n int, ok bool) {
	if st.means.rounds(p.s.round) > 0 {
		return 0, false
	}
	one, have, repeats := st.repeats(p.s.round)
	switch {
	case repeats && st.Declared && have < sameRounds, repeats && st.Counts && one.Base == one.Head:
		return sameRounds, true
	case repeats && st.Counts && have < p.s.opt.variant.differ, st.equal(p.s.round):
		return p.s.opt.variant.differ, true
	}
	return 0, false
}

// need returns how many rounds in all an open series would have needed at least, 0 where
// none that anyone would measure are enough, and then why. It plans for no change or for one of
// exactly the threshold, or for one as small as the estimate allows where all of that is a
// change already, as before the first look; if a look of that many rounds was held already,
// for what the estimate suggests.
func (p *pairs) need(st *state, sharing float64) (int, Cause) {
	if n, ok := p.believed(st); ok {
		return n, NoCause
	}
	m, f := &st.now, st.floor
	goal, size := math.Log1p(st.Threshold), math.Abs(m.relative(m.shift.Center))
	if !(size >= f.Least && size > f.Null || goal > f.Null && goal > f.Slack+size) {
		return 0, BuildNoise
	}
	// The spread itself is an estimate. Planning with one that came out too
	// small would promise too much as often as not.
	spread := m.relative(m.spread) * (1 + pairsMargin/math.Sqrt(float64(m.pairs)))
	// Before a look that can, no interval ends anywhere: by the normal one.
	sure := m.relative(max(m.shift.Lo, -m.shift.Hi, 0))
	if spread > 0 {
		sure = max(sure, size-NormalQuantile(0.01)*spread/math.Sqrt(efficiency(m.capped)*float64(m.pairs)))
	}
	missed, first := false, true // a look with as many rounds as planned for did not decide
	for look := range p.ahead(groupOf(st.Unknown, false), sharing) {
		own := m.pairs + look.round - p.s.round
		level, tail := look.flags*p.s.opt.Alpha/sharing, look.intervals*p.s.opt.Alpha
		planned := max(requiredPairs(spread, m.capped, level, goal-f.Null), requiredPairs(spread, m.capped, tail, goal-f.Slack))
		if first && look.flags > 0 {
			missed, first = planned <= m.pairs, false
		}
		n := planned
		if missed {
			n = requiredPairs(spread, m.capped, tail, goal-f.Slack-size)
			if size >= f.Least {
				n = min(n, requiredPairs(spread, m.capped, level, size-f.Null))
			}
		}
		if sure >= f.Least {
			n = min(n, requiredPairs(spread, m.capped, level, sure-f.Null))
		}
		if n <= own {
			return own, NoCause
		}
	}
	return 0, Noisy
}

// needOfMean is need of a series whose mean keeps it open: how many rounds prove a change of the
// mean as large as its estimate, or bring the estimate that leans within the threshold if there is no
// change. If there have been as many, there may be one.
func (p *pairs) needOfMean(st *state, group int, sharing float64) (int, Cause) {
	m, goal := &st.mean, math.Log1p(st.Threshold)
	size, spread := math.Abs(m.shift.Center), m.spread*(1+pairsMargin/math.Sqrt(float64(m.pairs)))
	within := float64(maxNeed)
	switch {
	case size >= goal && goal > 0:
		z := NormalQuantile(0.01) * spread / goal
		within = z * z / efficiency(false)
	case st.Threshold > 0: // of what was in a few rounds, if there is no more of it
		within = float64(m.pairs) * math.Expm1(math.Abs(st.sums)) / st.Threshold
	}
	for look := range p.ahead(group, sharing) {
		own := m.pairs + look.round - p.s.round
		flagged := size >= st.floor.Least && requiredPairs(spread, false, look.flags*p.s.opt.Alpha/sharing, size-st.floor.Null) <= own
		if flagged || within > float64(m.pairs) && within <= float64(own) {
			return own, NoCause
		}
	}
	return 0, Noisy
}

// FirstLook returns the round of the first look of the plan that can flag a typical round, one of
// m series that share the part of the error rate that the options have, 0 if none can. They may
// all have means.
func (o Options) FirstLook(m int) int {
	o = o.withDefaults()
	if !o.Procedure.ByPairs() {
		return o.firstLookOfBlocks(m)
	}
	carried, sharing := 0.0, o.sharing(m)
	for _, l := range o.Plan.Looks {
		if carried += l.Share; o.canFlag(leastP(l.Rounds), sharing, carried) {
			return l.Rounds
		}
	}
	return 0
}

// sharing is among how many hypotheses all of Alpha would be divided, if each got as much as the
// typical round of one of m series with means.
func (o Options) sharing(m int) float64 {
	n := sizes{0: m}
	if o.variant.means {
		n[groupOf(false, true)] = m
	}
	return n.sharing(0, o.Part)
}

// canFlag reports whether a p is small enough for one of m hypotheses at a look that
// spends this share of the error rate.
func (o Options) canFlag(p, m, share float64) bool {
	return p*max(m, 1) <= share*o.Alpha
}
