package stat

import "math"

// The rules by which trials were decided before the test of pairs: see [Blocks]. Nothing in
// these files changes any more: whatever does would change verdicts that people were given.
type blocks struct {
	s      *Sequence
	test   Stratified // in blocks
	whole  Stratified // benchstat's, of all samples of both sides
	reruns int        // continuations that have ended
}

func (b *blocks) begin() {
	b.test.Block = blockRounds
	b.reruns = 0
}

func (b *blocks) look() { b.lookWith(b.s.opt.Plan.share(b.s.round)) }

// end is a look of a continuation that measured anything. The end of the first session is
// none.
func (b *blocks) end() {
	if s := b.s; s.ended > 0 && s.round > s.session {
		b.reruns++
		b.lookWith(s.opt.Plan.continuation(b.reruns))
	}
	// Counts need no look: they have no error rate to spend.
	for i := range b.s.series {
		b.decideRepeated(&b.s.series[i])
	}
}

// leave describes what is open. Its intervals pay what the next look will have.
func (b *blocks) leave() {
	share := b.s.opt.Plan.future(b.s.round, b.reruns)
	known, unknown := b.families()
	laterKnown, laterUnknown := b.withoutCounts()
	for i := range b.s.series {
		st := &b.s.series[i]
		if st.round == 0 {
			b.leaveOpen(st, share, Sharing(known, unknown, st.Unknown), Sharing(laterKnown, laterUnknown, st.Unknown))
		}
	}
}

func (b *blocks) tested() int {
	known, unknown := b.families()
	return known + unknown
}

// families returns how many hypotheses there are of either kind.
func (b *blocks) families() (known, unknown int) {
	for i := range b.s.series {
		switch st := &b.s.series[i]; {
		case st.rounds(b.s.round) == 0 || st.decision.Exact:
		case st.Unknown:
			unknown++
		default:
			known++
		}
	}
	return known, unknown
}

// lookWith spends share of each error rate on the open series.
func (b *blocks) lookWith(share float64) {
	if share <= 0 {
		return
	}
	for i := range b.s.series {
		st := &b.s.series[i]
		b.decideRepeated(st)
		if st.round == 0 {
			b.measure(st, share*b.s.opt.Alpha)
		}
	}
	known, unknown := b.families()
	b.lookedAt(known, unknown, share)
	for i := range 2 {
		isUnknown, m := i == 1, [2]int{known, unknown}[i]
		part := share * Weight(known, unknown, isUnknown)
		b.s.correct(group{unknown: isUnknown}, m, part, worse)
		b.s.correct(group{unknown: isUnknown}, m, part, better)
	}
	for i := range b.s.series {
		if st := &b.s.series[i]; st.tested() {
			b.judge(st)
		}
	}
}

// measure computes what does not depend on other series, for an interval that
// errs on each side with the chance tail.
func (b *blocks) measure(st *state, tail float64) {
	st.now = measurement{up: 1, down: 1, adjusted: [2]float64{1, 1}}
	st.now.pairs = st.rounds(b.s.round)
	if st.now.cause, st.now.zero = b.obstacle(st); st.now.cause != NoCause {
		return
	}
	null := st.floor.Null
	if st.Negligible.Size > 0 || st.now.zero {
		b.test.Load(until(st.values, b.s.round))
		st.now.size = b.test.Interval(tail)
	}
	if st.now.zero {
		st.now.shift, null = st.now.size, 0
	} else {
		b.test.Load(until(st.logs, b.s.round))
		st.now.shift = b.test.Interval(tail)
		st.now.shift.Absolute = false
	}
	st.now.up = b.test.Tails(null).Up
	st.now.down = b.test.Tails(-null).Down
	st.now.spread = b.test.Spread()
}

// judge decides an open series, if its pairs allow it. An estimate as
// large as what is reported is never called the same, however narrow its
// interval: what one look misses, because of a late sample or two, the next
// one finds.
func (b *blocks) judge(st *state) {
	d := Decision{Round: b.s.round}
	way := b.beyond(st)
	switch {
	case way != 0 && st.now.adjusted[side(way)] <= b.s.opt.Alpha && b.wholeP(st) <= b.s.opt.CompareAlpha:
		d.Outcome, st.rejected[0] = Higher, worse
		if way < 0 {
			d.Outcome = Lower
		}
		if st.side(worse) != side(way) {
			st.rejected[0] = better
		}
	case way == 0 && b.proven(st):
		d.Outcome = Same
		if b.small(st) {
			d.Cause = TooSmall
		}
	default:
		return
	}
	st.round = b.s.round
	b.describe(st)
	st.decision.Outcome, st.decision.Cause, st.decision.Round = d.Outcome, d.Cause, d.Round
}

// wholeP is the p that benchstat shows of the same samples.
func (b *blocks) wholeP(st *state) float64 {
	b.whole.Load(until(st.values, b.s.round))
	return b.whole.Tails(0).TwoSided()
}

// beyond returns +1 or -1 where the estimate lies up or down by at least what
// is reported, else 0.
func (b *blocks) beyond(st *state) int {
	least, c := st.floor.Least, st.now.shift.Center
	if f := st.Negligible.Size; f > 0 && math.Abs(st.now.size.Center) <= f {
		return 0
	}
	if st.now.zero {
		least = 0 // has no relative size to fall short of
		if !st.Counts && b.medianChange(st) < st.floor.Least {
			return 0
		}
	}
	switch {
	case c >= least && c > 0:
		return +1
	case c <= -least && c < 0:
		return -1
	}
	return 0
}

// medianChange is how far the medians of the sides lie apart, as a logarithm: infinite
// where one of them is 0. A few zeros among other values do not make a change a large one.
func (b *blocks) medianChange(st *state) float64 {
	var base, head []float64
	for _, p := range st.values {
		if p.counts() {
			base, head = append(base, p.Base), append(head, p.Head)
		}
	}
	x, y := Median(base), Median(head)
	if x == y {
		return 0
	}
	return math.Abs(math.Log(y / x))
}

// proven reports whether the interval leaves no room for a change that
// matters: two one-sided tests (Schuirmann 1987).
func (b *blocks) proven(st *state) bool {
	return b.small(st) || !st.now.zero && b.bound(st) < st.Threshold || st.now.shift.Lo == 0 && st.now.shift.Hi == 0
}

// small reports whether the change is below what matters in the unit itself.
func (b *blocks) small(st *state) bool {
	f := st.Negligible.Size
	return f > 0 && max(-st.now.size.Lo, st.now.size.Hi) <= f && (st.now.size.Lo != 0 || st.now.size.Hi != 0)
}

// bound is the largest change either way that is left possible, as a fraction
// of the smaller value.
func (b *blocks) bound(st *state) float64 {
	if st.now.zero {
		return math.Inf(1)
	}
	most := max(-st.now.shift.Lo, st.now.shift.Hi, 0)
	if most == 0 {
		return 0
	}
	return math.Expm1(most + st.floor.Slack)
}

// describe fills in the numbers of a decision from the last measurement.
func (b *blocks) describe(st *state) {
	d := &st.decision
	*d = Decision{
		Rounds: st.now.pairs, Threshold: st.Threshold, Noise: st.Noise, P: 1, AdjustedP: 1,
		Shift: Shift{Lo: math.Inf(-1), Hi: math.Inf(1)}, Bound: math.Inf(1),
	}
	if st.now.cause != NoCause {
		return
	}
	d.Tested = true
	d.Shift, d.Bound = st.now.shift, b.bound(st)
	if !st.now.zero {
		d.Shift = Shift{Center: min(math.Expm1(d.Shift.Center), math.MaxFloat64), Lo: d.Shift.Lo, Hi: math.Expm1(d.Shift.Hi)}
		if !math.IsInf(d.Shift.Lo, -1) {
			d.Shift.Lo = math.Expm1(d.Shift.Lo)
		}
	}
	d.P, d.AdjustedP = st.now.up, st.now.adjusted[up]
	if st.now.shift.Center < 0 {
		d.P, d.AdjustedP = st.now.down, st.now.adjusted[down]
	}
}
