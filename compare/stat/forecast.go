package stat

import (
	"iter"
	"math"
)

// maxNeed means that no number of rounds is enough.
const maxNeed = 1_000_000

// reachLimit is the number of rounds within which forecasts search for a look. Beyond that, a
// series needs a quieter machine rather than more rounds.
const reachLimit = 1000

// pairsMargin is the relative error of a spread estimated from n rounds, as a multiple of 1/√n: one
// standard error of [Scatter].
const pairsMargin = 0.76

// A prospect is a future look of a trial, with the shares of the error rate it could spend on flags
// (0 if it could flag nothing) and on intervals.
type prospect struct {
	round            int
	flags, intervals float64
}

// ahead yields the future looks for a group in which sharing hypotheses divide the error rate:
// first the looks of the plan, then the ends of continuations, up to reachLimit rounds ahead. If
// the plan has no reserve for continuations, the latter are looks of other trials, planned to be
// that long.
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

// leave fills in the decisions of the open series from all of their rounds. At a look, it uses the
// look's interval. Between two looks, it uses an interval paid for out of the next look's share.
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
				st.now.adjusted, st.mean.adjusted = typical, mean // only a look corrects for the whole family
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

// reach returns the total number of measured rounds that an open series needs before it can first
// be flagged, if it is measured in every round from now on. It returns 0 if a past look could have
// flagged the series or if more rounds would not help.
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

// believed returns the number of rounds needed to decide an open series without a test if its
// values keep repeating. ok is false if the series cannot be decided in this way.
func (p *pairs) believed(st *state) (n int, ok bool) {
	if st.means.rounds(p.s.round) > 0 {
		return 0, false
	}
	one, have, repeats := st.repeats(p.s.round)
	switch {
	case repeats && st.Declared && have < sameRounds, repeats && st.Counts && one.Base == one.Head:
		return sameRounds, true
	case repeats && st.Counts && have < DifferRounds, st.equal(p.s.round):
		return DifferRounds, true
	}
	return 0, false
}

// need returns the smallest total number of rounds to decide an open series. If no reasonable
// number is enough, it returns 0 and the cause. It plans for no change or for a change of exactly
// the threshold. If a look with that many rounds did not decide the series, it plans for the
// estimated change instead. If the whole interval is a change worth reporting and the smallest
// change in it takes fewer rounds, it plans for that one.
func (p *pairs) need(st *state, sharing float64) (int, Cause) {
	if n, ok := p.believed(st); ok {
		return n, NoCause
	}
	m, f := &st.now, st.floor
	goal, size := math.Log1p(st.Threshold), math.Abs(m.relative(m.shift.Center))
	if !(size >= f.Least && size > f.Null || goal > f.Null && goal > f.Slack+size) {
		return 0, BuildNoise
	}
	// The spread is an estimate, too. Used as is, it would be too small half of the time, and the
	// forecast too optimistic.
	spread := m.relative(m.spread) * (1 + pairsMargin/math.Sqrt(float64(m.pairs)))
	// Before a look that can decide, no interval is finite, so use the normal approximation.
	sure := m.relative(max(m.shift.Lo, -m.shift.Hi, 0))
	if spread > 0 {
		sure = max(sure, size-NormalQuantile(0.01)*spread/math.Sqrt(efficiency(m.capped)*float64(m.pairs)))
	}
	missed, first := false, true // a look with as many rounds as planned did not decide
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

// needOfMean is like need, but for a series kept open by its mean. It returns the number of rounds
// needed to prove a change of the mean as large as its estimate or, assuming no change, to bring
// the estimate within the threshold. If the series already has this many rounds, the assumption may
// be wrong, so only the proof counts.
func (p *pairs) needOfMean(st *state, group int, sharing float64) (int, Cause) {
	m, goal := &st.mean, math.Log1p(st.Threshold)
	size, spread := math.Abs(m.shift.Center), m.spread*(1+pairsMargin/math.Sqrt(float64(m.pairs)))
	within := float64(maxNeed)
	switch {
	case size >= goal && goal > 0:
		z := NormalQuantile(0.01) * spread / goal
		within = z * z / efficiency(false)
	case st.Threshold > 0: // the estimate comes from a few rounds; assume no others are slow
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

// FirstLook returns the round of the plan's first look that can flag the typical round of a series,
// if m series share the options' part of the error rate and all of them may have means. It returns
// 0 if no look can.
func (o Options) FirstLook(m int) int {
	o = o.withDefaults()
	carried, sharing := 0.0, o.sharing(m)
	for _, l := range o.Plan.Looks {
		if carried += l.Share; o.canFlag(leastP(l.Rounds), sharing, carried) {
			return l.Rounds
		}
	}
	return 0
}

// sharing returns how many hypotheses could share all of Alpha if each got the same share as the
// typical round of one of m series with means.
func (o Options) sharing(m int) float64 {
	n := sizes{0: m}
	n[groupOf(false, true)] = m
	return n.sharing(0, o.Part)
}

// canFlag reports whether p is small enough to flag one of m hypotheses at a look with the given
// share of the error rate.
func (o Options) canFlag(p, m, share float64) bool {
	return p*max(m, 1) <= share*o.Alpha
}
