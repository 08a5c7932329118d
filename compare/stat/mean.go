package stat

import "math"

// A typical round excludes slices with extreme values, and with them any slowdown of only a few
// slices. So the mean of all slices is tested as a second hypothesis, based on the same coins. It
// is tested in the same way as a typical round, and a series is called the same only if the
// estimates of its mean agree.

// measureMean tests the means of a series and computes their interval. Each end of the interval
// errs with a probability of at most tail.
func (p *pairs) measureMean(st *state, tail float64) {
	st.mean = measurement{up: 1, down: 1, adjusted: [2]float64{1, 1}, pairs: st.means.rounds(p.s.round)}
	m := &st.mean
	if m.pairs == 0 {
		m.cause = NoPairs
		return
	}
	p.test.Capped = false // an event may show in only a few rounds
	p.test.Load(until(st.means.logs, p.s.round))
	m.shift, m.spread = p.test.Interval(tail), p.test.Spread()
	m.up, m.down = p.test.Tails(st.floor.Null).Up, p.test.Tails(-st.floor.Null).Down
	st.sums = sumRatio(until(st.means.values, p.s.round))
}

// sumRatio returns the logarithm of the ratio of the sides' sums over all rounds except one. It
// leaves out the round whose omission brings the ratio nearest to 1, because a single hiccup of the
// machine proves nothing.
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

// leans returns +1 or -1 if an estimate of the mean is above or below by at least the threshold,
// and 0 otherwise. The estimates are the typical mean of all rounds and the ratio of their sums.
// The ratio also reflects events in only a few rounds.
func (st *state) leans() int {
	for _, x := range [...]float64{st.mean.shift.Center, st.sums} {
		if math.Abs(x) >= math.Log1p(st.Threshold) {
			return Sign(x)
		}
	}
	return 0
}

// A finding is the result of one look, either for the typical round of a series or for its mean.
type finding struct {
	outcome Outcome
	cause   Cause
	family  family // the family of the test that flagged it
}

// typically returns the finding for the typical round. If the estimate is large enough to report,
// the series is never called the same, however narrow its interval: one or two slow samples may
// make a look miss a change that the next look finds.
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

// onAverage returns the finding for the mean, or the zero finding if there are no means.
func (st *state) onAverage(alpha float64) finding {
	if st.mean.cause != NoCause || math.Abs(st.mean.shift.Center) < st.floor.Least {
		return finding{}
	}
	return st.flagged(&st.mean, Sign(st.mean.shift.Center), alpha)
}

// flagged returns the finding that the series changed in the direction way (+1 or -1), or the zero
// finding if the test does not prove this.
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

// joined combines the findings for the typical round and for the mean into the outcome of a series.
// byMean is set if the mean decides the series or keeps it open. This is the only place that weighs
// the two findings against each other:
//   - A series is worse if its typical round is worse or, failing that, if its mean is worse.
//   - A series is better if its typical round is better and no estimate of the mean is worse, or if
//     its typical round is the same and its mean is better.
//   - A series is the same if its typical round and the estimates of its mean are the same.
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

// describeMean fills in the Mean of the decision.
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
