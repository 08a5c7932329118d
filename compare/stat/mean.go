package stat

import "math"

// A typical round drops the slices that are off, and with them whatever makes a few of them slow.
// So the mean of all slices is a hypothesis of its own, of the same coins: it is tested as a
// typical round is, and "the same" is said of a series only if the estimates of its mean say so, too.

// measureMean measures the means of a series, for an interval that errs on each side with the
// chance tail.
func (p *pairs) measureMean(st *state, tail float64) {
	st.mean = measurement{up: 1, down: 1, adjusted: [2]float64{1, 1}, pairs: st.means.rounds(p.s.round)}
	m := &st.mean
	if m.pairs == 0 {
		m.cause = NoPairs
		return
	}
	p.test.Capped = false // a few rounds may be all that an event shows in
	p.test.Load(until(st.means.logs, p.s.round))
	m.shift, m.spread = p.test.Interval(tail), p.test.Spread()
	m.up, m.down = p.test.Tails(st.floor.Null).Up, p.test.Tails(-st.floor.Null).Down
	st.sums = sumRatio(until(st.means.values, p.s.round))
}

// sumRatio is the logarithm of the ratio of the sums of all rounds, without the one round
// whose omission brings it nearest to 0: a single hiccup of the machine says nothing.
func sumRatio(values []Pair) float64 {
	var base, head float64
	n := 0
	for _, p := range values {
		if p.counts() {
			base, head, n = base+p.Base, head+p.Head, n+1
		}
	}
	if n < 2 {
		return 0
	}
	nearest := math.Inf(1)
	for _, p := range values {
		if p.counts() {
			if r := math.Log((head - p.Head) / (base - p.Base)); math.Abs(r) < math.Abs(nearest) {
				nearest = r
			}
		}
	}
	return nearest
}

// leans returns +1 or -1 where an estimate of the mean lies up or down by the threshold or more, 0
// where neither does: the typical one of all rounds, and that of their sums, in which what happens
// in few rounds counts.
func (st *state) leans() int {
	for _, x := range [...]float64{st.mean.shift.Center, st.sums} {
		if math.Abs(x) >= math.Log1p(st.Threshold) {
			return Sign(x)
		}
	}
	return 0
}

// A finding is what a look says of a typical round, or of a mean.
type finding struct {
	outcome Outcome
	cause   Cause
	family  family // of the test that flagged it
}

// typically is what the typical round says. An estimate as large as what is reported
// is never called the same, however narrow its interval: what one look misses, because of a
// late sample or two, the next one finds.
func (st *state) typically(alpha float64) finding {
	if !st.tested() {
		return finding{}
	}
	way := st.beyond()
	if way == 0 && st.proven() {
		if st.small() {
			return finding{outcome: Same, cause: TooSmall}
		}
		return finding{outcome: Same}
	}
	return st.flagged(&st.now, way, alpha)
}

// onAverage is what the mean says: nothing of a series without.
func (st *state) onAverage(alpha float64) finding {
	if st.mean.cause != NoCause || math.Abs(st.mean.shift.Center) < st.floor.Least {
		return finding{}
	}
	return st.flagged(&st.mean, Sign(st.mean.shift.Center), alpha)
}

// flagged is the finding that a test proves of a change in this direction, 0 for none.
func (st *state) flagged(m *measurement, way int, alpha float64) finding {
	if way == 0 || m.adjusted[side(way)] > alpha {
		return finding{}
	}
	f := finding{outcome: Higher, family: worse}
	if way < 0 {
		f.outcome = Lower
	}
	if st.side(worse) != side(way) {
		f.family = better
	}
	return f
}

// joined is what a series is called, by both findings; byMean is whether its mean decides, or
// keeps it open. It is the one place where the two are weighed:
//
//   - What got worse is worse, by its typical round if that shows it, else by its mean.
//   - A typical round that got better is better, unless an estimate of the mean says worse.
//   - A typical round that is the same is the same if the estimates of the mean are so, too;
//     the mean may be proven to be better.
func (st *state) joined(typical, mean finding) (f finding, byMean bool) {
	if st.mean.cause != NoCause {
		return typical, false
	}
	anyWay := st.Better == 0
	leansWorse := st.leans() != 0 && side(st.leans()) == st.side(worse)
	switch {
	case typical.family == worse || anyWay && typical.family != neither:
		return typical, false
	case mean.family == worse || anyWay && mean.family != neither:
		return mean, true
	case typical.family == better && !leansWorse:
		return typical, false
	case typical.outcome == Same && mean.family == better:
		return mean, true
	case typical.outcome == Same && st.leans() == 0:
		return typical, false
	}
	return finding{}, typical.outcome != Open
}

// describeMean fills in what is known of the mean.
func (st *state) describeMean() {
	m, d := &st.mean, &st.decision.Mean
	if m.cause != NoCause {
		return
	}
	*d = Mean{Rounds: m.pairs, Tested: true, Shift: relativeShift(m.shift), Bound: st.bound(m), AdjustedP: m.adjusted[up]}
	if d.Shift.Center < 0 {
		d.AdjustedP = m.adjusted[down]
	}
}
