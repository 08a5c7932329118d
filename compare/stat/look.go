package stat

import "math"

// A measurement is what the rounds so far say of one series.
type measurement struct {
	pairs    int
	cause    Cause   // why there is no test; then nothing else is valid
	zero     bool    // there are values of 0: no logarithms
	shift    Shift   // of logarithms; of the values themselves where Absolute is set
	up, down float64 // one-sided p of a change beyond the floor
	spread   float64 // of samples of one side, for planning
	size     Shift   // of the values, for units with a floor of their own
	adjusted [2]float64
}

// Indexes of the two directions, in this order a family of tests each.
const up, down = 0, 1

// side is the index of a direction: 1 is up, -1 down.
func side(way int) int {
	if way > 0 {
		return up
	}
	return down
}

// look spends share of each error rate on the open series.
func (s *Sequence) look(share float64) {
	if share <= 0 {
		return
	}
	for i := range s.series {
		st := &s.series[i]
		st.decideRepeated(s.round)
		if st.round == 0 {
			st.measure(s, share*s.opt.Alpha)
		}
	}
	known, unknown := s.families()
	s.lookedAt(known, unknown, share)
	for i := range 2 {
		isUnknown, m := i == 1, [2]int{known, unknown}[i]
		part := share * Weight(known, unknown, isUnknown)
		s.correct(isUnknown, m, part, worse)
		s.correct(isUnknown, m, part, better)
	}
	for i := range s.series {
		if st := &s.series[i]; st.tested() {
			st.judge(s)
		}
	}
}

// side is the direction that a family's test of the series is for. Worse and better, of
// units with either direction, are two families with an error rate each: what is worse
// of a time is up, of a speed down.
func (st *state) side(f family) int {
	if (f == worse) == (st.Better <= 0) {
		return up
	}
	return down
}

// correct fills in the p of one family of m hypotheses, of which some were rejected at
// earlier looks, after Holm's correction and for the share of the error rate that this
// look may spend: to be held against Alpha.
func (s *Sequence) correct(unknown bool, m int, share float64, f family) {
	var open []*state
	var p []float64
	for i := range s.series {
		st := &s.series[i]
		switch {
		case st.Unknown != unknown:
		case st.tested():
			open = append(open, st)
			p = append(p, [2]float64{st.now.up, st.now.down}[st.side(f)])
		case st.round > 0 && !st.decision.Exact && st.decision.family == f:
			m--
		}
	}
	for i, adjusted := range Holm(p, m, share) {
		open[i].now.adjusted[open[i].side(f)] = adjusted
	}
}

// tested reports whether the series takes part in the look that is held.
func (st *state) tested() bool { return st.round == 0 && st.now.cause == NoCause }

// measure computes what does not depend on other series, for an interval that
// errs on each side with the chance tail.
func (st *state) measure(s *Sequence, tail float64) {
	st.now = measurement{up: 1, down: 1, adjusted: [2]float64{1, 1}}
	st.now.pairs = st.rounds(s.round)
	if st.now.cause, st.now.zero = st.obstacle(s.round); st.now.cause != NoCause {
		return
	}
	null := st.floor.Null
	if st.Negligible.Size > 0 || st.now.zero {
		s.test.Load(until(st.values, s.round))
		st.now.size = s.test.Interval(tail)
	}
	if st.now.zero {
		st.now.shift, null = st.now.size, 0
	} else {
		s.test.Load(until(st.logs, s.round))
		st.now.shift = s.test.Interval(tail)
		st.now.shift.Absolute = false
	}
	st.now.up = s.test.Tails(null).Up
	st.now.down = s.test.Tails(-null).Down
	st.now.spread = s.test.Spread()
}

// judge decides an open series, if its pairs allow it. An estimate as
// large as what is reported is never called the same, however narrow its
// interval: what one look misses, because of a late sample or two, the next
// one finds.
func (st *state) judge(s *Sequence) {
	d := Decision{Round: s.round}
	way := st.beyond()
	switch {
	case way != 0 && st.now.adjusted[side(way)] <= s.opt.Alpha && st.wholeP(s) <= s.opt.CompareAlpha:
		d.Outcome, d.family = Higher, worse
		if way < 0 {
			d.Outcome = Lower
		}
		if st.side(worse) != side(way) {
			d.family = better
		}
	case way == 0 && st.proven():
		d.Outcome = Same
		if st.small() {
			d.Cause = TooSmall
		}
	default:
		return
	}
	st.round = s.round
	st.describe()
	st.decision.Outcome, st.decision.Cause, st.decision.Round, st.decision.family = d.Outcome, d.Cause, d.Round, d.family
}

// wholeP is the p that benchstat shows of the same samples.
func (st *state) wholeP(s *Sequence) float64 {
	s.whole.Load(until(st.values, s.round))
	return s.whole.Tails(0).TwoSided()
}

// beyond returns +1 or -1 where the estimate lies up or down by at least what
// is reported, else 0.
func (st *state) beyond() int {
	least, c := st.floor.Least, st.now.shift.Center
	if f := st.Negligible.Size; f > 0 && math.Abs(st.now.size.Center) <= f {
		return 0
	}
	if st.now.zero {
		least = 0 // has no relative size to fall short of
		if !st.Counts && st.medianChange() < st.floor.Least {
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
func (st *state) medianChange() float64 {
	var base, head []float64
	for _, p := range st.values {
		if p.counts() {
			base, head = append(base, p.Base), append(head, p.Head)
		}
	}
	a, b := Median(base), Median(head)
	if a == b {
		return 0
	}
	return math.Abs(math.Log(b / a))
}

// proven reports whether the interval leaves no room for a change that
// matters: two one-sided tests (Schuirmann 1987).
func (st *state) proven() bool {
	return st.small() || !st.now.zero && st.bound() < st.Threshold || st.now.shift.Lo == 0 && st.now.shift.Hi == 0
}

// small reports whether the change is below what matters in the unit itself.
func (st *state) small() bool {
	f := st.Negligible.Size
	return f > 0 && max(-st.now.size.Lo, st.now.size.Hi) <= f && (st.now.size.Lo != 0 || st.now.size.Hi != 0)
}

// bound is the largest change either way that is left possible, as a fraction
// of the smaller value.
func (st *state) bound() float64 {
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
func (st *state) describe() {
	d := &st.decision
	*d = Decision{
		Rounds: st.now.pairs, Threshold: st.Threshold, Noise: st.Noise, P: 1, AdjustedP: 1,
		Shift: Shift{Lo: math.Inf(-1), Hi: math.Inf(1)}, Bound: math.Inf(1),
	}
	if st.now.cause != NoCause {
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
	d.P, d.AdjustedP = st.now.up, st.now.adjusted[up]
	if st.now.shift.Center < 0 {
		d.P, d.AdjustedP = st.now.down, st.now.adjusted[down]
	}
}

// leaveOpen describes a series that no look has decided, as of all its rounds.
// Its interval pays what the next look will have, which has not been spent. family is how
// many hypotheses it is one of, later how many when counts have left.
func (st *state) leaveOpen(s *Sequence, share, family, later float64) {
	looked, adjusted := st.now.pairs > 0, st.now.adjusted
	st.measure(s, share*s.opt.Alpha)
	if looked {
		st.now.adjusted = adjusted // only looks correct for their family
	}
	st.describe()
	d := &st.decision
	d.Cause, d.Reach = st.now.cause, s.reach(st, later)
	if d.Cause != NoCause {
		return
	}
	if way := st.beyond(); looked && way != 0 && adjusted[side(way)] <= s.opt.Alpha {
		d.Cause = Drift
		return
	}
	need := func(share float64) int {
		return st.now.need(s.test, share*s.opt.Alpha/family, share*s.opt.Alpha, st.Threshold, st.floor)
	}
	d.Need = need(share)
	// Beyond the last look only the end of a continuation decides, for less.
	if last := s.opt.Plan.Last(); d.Need > last && s.round < last && s.opt.Plan.Reserve > 0 {
		d.Need = need(s.opt.Plan.continuation(s.reruns + 1))
	}
	if d.Need >= maxNeed {
		d.Need, d.Cause = 0, BuildNoise
	}
}

// need returns how many rounds in all an undecided series would have needed at
// least. It plans for a change of exactly the threshold, or for one as small as the
// interval allows where all of that is a change already, as before the first look; if
// that many rounds were measured already, for what the estimate suggests.
func (m *measurement) need(t Test, level, tail, threshold float64, f EffectFloor) int {
	goal := math.Log1p(threshold)
	// The spread itself is an estimate. Planning with one that came out too
	// small would promise too much as often as not.
	spread := m.spread * (1 + planningMargin/math.Sqrt(float64(m.pairs)))
	n := t.Required(spread, level, goal-f.Null)
	if sure := max(m.shift.Lo, -m.shift.Hi); sure >= f.Least {
		n = min(n, max(t.Required(spread, level, sure-f.Null), m.pairs+1))
	}
	if n > m.pairs {
		return n
	}
	size := math.Abs(m.shift.Center)
	n = t.Required(spread, tail, goal-f.Slack-size)
	if size >= f.Least {
		n = min(n, t.Required(spread, level, size-f.Null))
	}
	return max(n, m.pairs+blockRounds)
}
