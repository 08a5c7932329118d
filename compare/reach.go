package compare

// A look can flag nothing if the smallest p that its test can give is too large
// for it: after few rounds, or among many hypotheses. What was measured only up
// to such looks was not checked, however large the change is that it shows.

// reachLimit is how many rounds ahead the first look is sought that could flag a series.
const reachLimit = 1000

// FirstLook returns the round of the first look of the plan that can flag one of m
// hypotheses, 0 if none can.
func (o SequentialOptions) FirstLook(m int) int {
	o = o.withDefaults()
	for _, l := range o.Plan.Looks {
		if o.canFlag(leastP(l.Rounds, func(int) bool { return true }), float64(m), l.Share) {
			return l.Rounds
		}
	}
	return 0
}

// canFlag reports whether a p is small enough for one of m hypotheses at a look that
// spends this share of the error rate.
func (o SequentialOptions) canFlag(p, m, share float64) bool {
	return p*max(m, 1) <= share*o.Alpha
}

// leastP is the smallest p that the test of [Stratified] can give after this many
// rounds, of which those count that were measured: all of head lies above base.
func leastP(rounds int, measured func(round int) bool) float64 {
	p := 1.0
	for first := 1; first <= rounds; first += blockRounds {
		n := 0
		for r := first; r < first+blockRounds && r <= rounds; r++ {
			if measured(r) {
				n++
			}
		}
		p /= choose(2*n, n)
	}
	return p
}

// has reports whether both sides of a round were measured.
func (st *sequentialState) has(round int) bool {
	return round <= len(st.values[base]) && st.values[base][round-1] == st.values[base][round-1]
}

// lookedAt notes for each series that a look was held that could have flagged it.
func (s *Sequence) lookedAt(known, unknown int, share float64) {
	for i := range s.series {
		st := &s.series[i]
		st.reached = st.reached || st.round == 0 && s.opt.canFlag(leastP(s.round, st.has), shared(known, unknown, st.Unknown), share)
	}
}

// reach returns after how many rounds of its own a series can first be flagged, if it
// is measured in every round from now on; 0 if a look was held that could have, or if
// it is not for want of rounds that nothing can be said of it.
func (s *Sequence) reach(st *sequentialState) int {
	have := st.rounds(s.round)
	if n, ok := st.repeats(s.round); ok && n < exactRounds {
		return cond(st.Exact, 2, exactRounds)
	}
	if reason, _ := st.obstacle(s.round); st.reached || reason != "" {
		return 0
	}
	var n [2]int
	for i := range s.series { // counts will have left the family by then
		other := &s.series[i]
		if _, exact := other.repeats(s.round); !exact && !other.decision.Exact && other.rounds(s.round) > 0 {
			n[cond(other.Unknown, 1, 0)]++
		}
	}
	m := shared(n[0], n[1], st.Unknown)
	for ahead := 1; ahead <= reachLimit; ahead++ {
		round := s.round + ahead
		share := s.opt.Plan.share(round)
		if round > s.opt.Plan.Last() {
			share = s.opt.Plan.continuation(s.reruns + 1)
		}
		if s.opt.canFlag(leastP(round, func(r int) bool { return r > s.round || st.has(r) }), m, share) {
			return have + ahead
		}
	}
	return have + reachLimit
}
