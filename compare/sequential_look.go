package compare

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// A measurement is what the rounds so far say of one series.
type measurement struct {
	pairs    int
	reason   string  // why there is no test; then nothing else is valid
	zero     bool    // there are values of 0: no logarithms
	shift    Shift   // of logarithms; of the values themselves where Absolute is set
	up, down float64 // one-sided p of a change beyond the floor
	spread   float64 // of samples of one side, for planning
	size     Shift   // of the values, for units with a floor of their own
	adjusted [2]float64
}

// Indexes of the two directions, in this order a family of tests each.
const up, down = 0, 1

// look spends share of each error rate on the open series.
func (s *Sequence) look(share float64) {
	if share <= 0 {
		return
	}
	for i := range s.series {
		st := &s.series[i]
		st.decideExact(s.round)
		if st.round == 0 {
			st.measure(s, share*s.opt.Alpha)
		}
	}
	// Worse and better, of units with either direction, are two families with
	// an error rate each: what is worse of a time is up, of a speed down.
	known, unknown := s.families()
	s.lookedAt(known, unknown, share)
	for _, of := range []struct {
		unknown bool
		m       int
	}{{false, known}, {true, unknown}} {
		part := share * weight(known, unknown, of.unknown)
		s.correct(of.unknown, of.m, part, Regressed, func(st *sequentialState) int { return cond(st.Better > 0, down, up) })
		s.correct(of.unknown, of.m, part, Improved, func(st *sequentialState) int { return cond(st.Better > 0, up, down) })
	}
	for i := range s.series {
		if st := &s.series[i]; st.tested() {
			st.judge(s)
		}
	}
}

func cond[T any](c bool, yes, no T) T {
	if c {
		return yes
	}
	return no
}

// correct fills in the p of one family after the correction of Holm (1979)
// for m hypotheses, of which some were rejected at earlier looks, and for the
// share of the error rate that this look may spend: to be held against Alpha.
func (s *Sequence) correct(unknown bool, m int, share float64, flagged Verdict, side func(*sequentialState) int) {
	var open []*sequentialState
	for i := range s.series {
		st := &s.series[i]
		switch {
		case st.Unknown != unknown:
		case st.tested():
			open = append(open, st)
		case st.round > 0 && !st.decision.Exact && st.decision.family == flagged:
			m--
		}
	}
	p := func(st *sequentialState) float64 { return [2]float64{st.now.up, st.now.down}[side(st)] }
	slices.SortStableFunc(open, func(a, b *sequentialState) int { return cmp.Compare(p(a), p(b)) })
	largest := 0.0
	for rank, st := range open {
		largest = max(largest, min(1, p(st)*float64(m-rank)/share))
		st.now.adjusted[side(st)] = largest
	}
}

// tested reports whether the series takes part in the look that is held.
func (st *sequentialState) tested() bool { return st.round == 0 && st.now.reason == "" }

// measure computes what does not depend on other series, for an interval that
// errs on each side with the chance tail.
func (st *sequentialState) measure(s *Sequence, tail float64) {
	st.now = measurement{up: 1, down: 1, adjusted: [2]float64{1, 1}}
	if st.now.reason, st.now.zero = st.obstacle(s.round); st.now.reason != "" {
		return
	}
	st.now.pairs = st.rounds(s.round)
	b, h := until(st.values, s.round)
	null := st.floor.Null
	if floor(st.Unit) > 0 || st.now.zero {
		s.test.loaded.load(b, h, blockRounds)
		st.now.size = s.test.interval(tail)
	}
	if st.now.zero {
		st.now.shift, null = st.now.size, 0
	} else {
		logB, logH := until(st.logs, s.round)
		s.test.loaded.load(logB, logH, blockRounds)
		st.now.shift = s.test.interval(tail)
		st.now.shift.Absolute = false
	}
	st.now.up = s.test.tails(null).Up
	st.now.down = s.test.tails(-null).Down
	st.now.spread = s.test.loaded.spread()
}

// judge gives an open series its verdict, if it has earned one. An estimate as
// large as what is reported is never called unchanged, however narrow its
// interval: what one look misses, because of a late sample or two, the next
// one finds.
func (st *sequentialState) judge(s *Sequence) {
	var verdict, family Verdict
	reason := ""
	way := st.beyond()
	side := cond(way > 0, up, down)
	switch {
	case way != 0 && st.now.adjusted[side] <= s.opt.Alpha && st.benchmathP(s) <= s.opt.CompareAlpha:
		verdict = direction(way, st.Better)
		family = cond((way > 0) == (st.Better <= 0), Regressed, Improved)
	case way == 0 && st.proven():
		verdict = Unchanged
		switch b := st.bound(); {
		case st.small():
			reason = "too small to matter"
		case b > 0 && !st.now.zero:
			reason = "within " + upTo(100*b) + "%"
		}
	default:
		return
	}
	st.round = s.round
	st.describe()
	st.decision.Verdict, st.decision.Reason, st.decision.Round = verdict, reason, s.round
	st.decision.family = family
}

// benchmathP is the p that benchstat shows of the same samples.
func (st *sequentialState) benchmathP(s *Sequence) float64 {
	b, h := until(st.values, s.round)
	return s.test.Test(b, h, 0, 0).TwoSided()
}

// beyond returns +1 or -1 where the estimate lies up or down by at least what
// is reported, else 0.
func (st *sequentialState) beyond() int {
	least, c := st.floor.Least, st.now.shift.Center
	if f := floor(st.Unit); f > 0 && math.Abs(st.now.size.Center) <= f {
		return 0
	}
	if st.now.zero {
		least = 0 // has no relative size to fall short of
	}
	switch {
	case c >= least && c > 0:
		return +1
	case c <= -least && c < 0:
		return -1
	}
	return 0
}

// proven reports whether the interval leaves no room for a change that
// matters: two one-sided tests (Schuirmann 1987).
func (st *sequentialState) proven() bool {
	return st.small() || !st.now.zero && st.bound() < st.Threshold || st.now.shift.Lo == 0 && st.now.shift.Hi == 0
}

// small reports whether the change is below what matters in the unit itself.
func (st *sequentialState) small() bool {
	f := floor(st.Unit)
	return f > 0 && max(-st.now.size.Lo, st.now.size.Hi) <= f && (st.now.size.Lo != 0 || st.now.size.Hi != 0)
}

// bound is the largest change either way that is left possible, as a fraction
// of the smaller value.
func (st *sequentialState) bound() float64 {
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
func (st *sequentialState) describe() {
	d := &st.decision
	*d = SequentialDecision{Rounds: st.now.pairs, P: 1}
	d.Threshold, d.Noise, d.AdjustedP = st.Threshold, st.Noise, 1
	d.Shift = Shift{Lo: math.Inf(-1), Hi: math.Inf(1)}
	d.Bound = math.Inf(1)
	if st.now.reason != "" {
		return
	}
	d.Tested = true
	d.Shift, d.Bound = st.now.shift, st.bound()
	if !st.now.zero {
		d.Shift = Shift{Center: min(math.Expm1(d.Shift.Center), math.MaxFloat64), Lo: d.Shift.Lo, Hi: math.Expm1(d.Shift.Hi)}
		if !math.IsInf(d.Shift.Lo, -1) {
			d.Shift.Lo = math.Expm1(d.Shift.Lo)
		}
	}
	side := cond(st.now.shift.Center >= 0, up, down)
	d.P, d.AdjustedP = [2]float64{st.now.up, st.now.down}[side], st.now.adjusted[side]
}

// leaveOpen describes a series that no look has decided, as of all its rounds.
// Its interval pays what the next look will have, which has not been spent.
func (st *sequentialState) leaveOpen(s *Sequence, share, family float64) {
	looked, adjusted := st.now.pairs > 0, st.now.adjusted
	st.measure(s, share*s.opt.Alpha)
	if looked {
		st.now.adjusted = adjusted // only looks correct for their family
	}
	st.describe()
	d := &st.decision
	d.Verdict, d.Reason, d.Reach = Inconclusive, st.now.reason, s.reach(st)
	if d.Reason != "" {
		return
	}
	if way := st.beyond(); looked && way != 0 && adjusted[cond(way > 0, up, down)] <= s.opt.Alpha {
		d.Reason = "the machine drifted by more than the change, which only shows round by round"
		return
	}
	need := func(share float64) int {
		return st.now.need(share*s.opt.Alpha/family, share*s.opt.Alpha, st.Threshold, st.floor)
	}
	d.Need = need(share)
	// Beyond the last look only the end of a continuation decides, for less.
	if last := s.opt.Plan.Last(); d.Need > last && s.round < last && s.opt.Plan.Reserve > 0 {
		d.Need = need(s.opt.Plan.continuation(s.reruns + 1))
	}
	d.Reason = fmt.Sprintf("needs %d rounds", d.Need)
	if d.Need >= maxNeed {
		d.Need, d.Reason = 0, "no number of rounds can decide: builds of one source differ by about the threshold"
	}
}

// exactRounds is how many rounds show that a value repeats, so that a difference is
// one: a count that takes two values as often looks like that in 2 of a million.
const exactRounds = 10

// decideExact compares the counts of a series that repeats exactly. All that
// is left to weigh is the size of the difference. Of what cannot be tested it
// knows one thing: a value that is the same on both sides in so many rounds,
// as 0 is, has not changed.
func (st *sequentialState) decideExact(round int) {
	if st.round != 0 {
		return
	}
	var row Row
	n, ok := st.repeats(round)
	if !ok || n < 2 {
		return
	}
	row.Unit, row.Better = st.Unit, st.Better
	row.Base.Center, row.Head.Center = st.last(base, round), st.last(head, round)
	row.decideExact()
	// A count that is now 67 and now 68 was the same a few times on each side.
	if counted := st.counts() && row.Verdict == Unchanged; n < exactRounds && !st.Exact && !counted {
		return
	}
	st.round = round
	st.decision = SequentialDecision{Decision: row.Decision, Round: round, Rounds: n, P: 1, Exact: true}
	d := &st.decision
	d.Threshold, d.Noise, d.AdjustedP = st.Threshold, st.Noise, 1
	d.Bound = math.Inf(1)
	if !d.Shift.Absolute {
		d.Bound = math.Expm1(math.Abs(math.Log1p(d.Shift.Center)))
	}
}

// repeats reports whether the values up to a round are of the kind that
// decideExact decides, in n rounds so far.
func (st *sequentialState) repeats(round int) (n int, ok bool) {
	reason, _ := st.obstacle(round)
	if reason == "" && !st.counts() {
		return 0, false
	}
	b, h := until(st.values, round)
	first := -1
	for i := range b {
		switch {
		case b[i] != b[i]:
			continue
		case first < 0:
			first = i
		case b[i] != b[first] || h[i] != h[first]:
			return n, false
		}
		n++
	}
	if n == 0 {
		return 0, false
	}
	return n, reason == "" || b[first] == h[first] && !math.IsInf(b[first], 0)
}

// last is the last value of a side up to a round; there is one.
func (st *sequentialState) last(side, round int) float64 {
	values := st.values[side][:min(round, len(st.values[side]))]
	for _, v := range slices.Backward(values) {
		if v == v {
			return v
		}
	}
	return math.NaN()
}
