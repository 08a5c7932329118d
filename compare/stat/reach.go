package stat

// A look can flag nothing if the smallest p that its test can give is too large
// for it: after few rounds, or among many hypotheses. What was measured only up
// to such looks was not checked, however large the change is that it shows.

// reachLimit is how many rounds ahead the first look is sought that could flag a series.
const reachLimit = 1000

// FirstLook returns the round of the first look of the plan that can flag one of m
// hypotheses, 0 if none can.
func (o Options) FirstLook(m int) int {
	o = o.withDefaults()
	test := newTest()
	for _, l := range o.Plan.Looks {
		if o.canFlag(test.LeastP(l.Rounds, func(int) bool { return true }), float64(m), l.Share) {
			return l.Rounds
		}
	}
	return 0
}

// canFlag reports whether a p is small enough for one of m hypotheses at a look that
// spends this share of the error rate.
func (o Options) canFlag(p, m, share float64) bool {
	return p*max(m, 1) <= share*o.Alpha
}

// has reports whether both sides of a round were measured.
func (st *state) has(round int) bool {
	return round <= len(st.values) && st.values[round-1].counts()
}

// lookedAt notes for each series that a look was held that could have flagged it.
func (s *Sequence) lookedAt(known, unknown int, share float64) {
	for i := range s.series {
		st := &s.series[i]
		if st.round == 0 && !st.reached {
			st.reached = s.opt.canFlag(s.test.LeastP(s.round, st.has), Sharing(known, unknown, st.Unknown), share)
		}
	}
}

// withoutCounts returns how many hypotheses of either kind there will be when counts
// that repeat are decided and have left.
func (s *Sequence) withoutCounts() (known, unknown int) {
	for i := range s.series {
		st := &s.series[i]
		if _, _, repeats := st.repeats(s.round); repeats || st.decision.Exact || st.rounds(s.round) == 0 {
			continue
		}
		if st.Unknown {
			unknown++
		} else {
			known++
		}
	}
	return known, unknown
}

// reach returns after how many rounds of its own a series can first be flagged, one of m
// hypotheses, if it is measured in every round from now on; 0 if a look was held that could
// have, or if it is not for want of rounds that nothing can be said of it.
func (s *Sequence) reach(st *state, m float64) int {
	have := st.rounds(s.round)
	if _, n, ok := st.repeats(s.round); ok && n < differRounds {
		if st.Declared {
			return sameRounds
		}
		return differRounds
	}
	if cause, _ := st.obstacle(s.round); st.reached || cause != NoCause {
		return 0
	}
	for ahead := 1; ahead <= reachLimit; ahead++ {
		round := s.round + ahead
		least := s.test.LeastP(round, func(r int) bool { return r > s.round || st.has(r) })
		if s.opt.canFlag(least, m, s.opt.Plan.ahead(round, s.reruns)) {
			return have + ahead
		}
	}
	return have + reachLimit
}
