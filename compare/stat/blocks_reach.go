package stat

// A look can flag nothing if the smallest p that its test can give is too large
// for it: after few rounds, or among many hypotheses. What was measured only up
// to such looks was not checked, however large the change is that it shows.

// firstLookOfBlocks is FirstLook of Blocks.
func (o Options) firstLookOfBlocks(m int) int {
	test := Stratified{Block: blockRounds}
	for _, l := range o.Plan.Looks {
		if o.canFlag(test.LeastP(l.Rounds, func(int) bool { return true }), float64(m), l.Share) {
			return l.Rounds
		}
	}
	return 0
}

// lookedAt notes for each series that a look was held that could have flagged it.
func (b *blocks) lookedAt(known, unknown int, share float64) {
	for i := range b.s.series {
		st := &b.s.series[i]
		if st.round == 0 && !st.reached {
			st.reached = b.s.opt.canFlag(b.test.LeastP(b.s.round, st.has), Sharing(known, unknown, st.Unknown), share)
		}
	}
}

// withoutCounts returns how many hypotheses of either kind there will be when counts
// that repeat are decided and have left.
func (b *blocks) withoutCounts() (known, unknown int) {
	for i := range b.s.series {
		st := &b.s.series[i]
		if _, _, repeats := b.repeats(st); repeats || st.decision.Exact || st.rounds(b.s.round) == 0 {
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
func (b *blocks) reach(st *state, m float64) int {
	have := st.rounds(b.s.round)
	if _, n, ok := b.repeats(st); ok && n < typicalDiffer {
		if st.Declared {
			return sameRounds
		}
		return typicalDiffer
	}
	if cause, _ := b.obstacle(st); st.reached || cause != NoCause {
		return 0
	}
	for ahead := 1; ahead <= reachLimit; ahead++ {
		round := b.s.round + ahead
		least := b.test.LeastP(round, func(r int) bool { return r > b.s.round || st.has(r) })
		if b.s.opt.canFlag(least, m, b.s.opt.Plan.ahead(round, b.reruns)) {
			return have + ahead
		}
	}
	return have + reachLimit
}
