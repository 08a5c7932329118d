package stat

import "math"

// leaveOpen describes a series that no look has decided, as of all its rounds.
// Its interval pays what the next look will have, which has not been spent. family is how
// many hypotheses it is one of, later how many when counts have left.
func (b *blocks) leaveOpen(st *state, share, family, later float64) {
	looked, adjusted := st.now.pairs > 0, st.now.adjusted
	b.measure(st, share*b.s.opt.Alpha)
	if looked {
		st.now.adjusted = adjusted // only looks correct for their family
	}
	b.describe(st)
	d := &st.decision
	d.Cause, d.Reach = st.now.cause, b.reach(st, later)
	if d.Cause != NoCause {
		return
	}
	if way := b.beyond(st); looked && way != 0 && adjusted[side(way)] <= b.s.opt.Alpha {
		d.Cause = Drift
		return
	}
	need := func(share float64) int {
		return st.now.needOfBlocks(&b.test, share*b.s.opt.Alpha/family, share*b.s.opt.Alpha, st.Threshold, st.floor)
	}
	d.Need = need(share)
	// Beyond the last look only the end of a continuation decides, for less.
	if last := b.s.opt.Plan.Last(); d.Need > last && b.s.round < last && b.s.opt.Plan.Reserve > 0 {
		d.Need = need(b.s.opt.Plan.continuation(b.reruns + 1))
	}
	if d.Need >= maxNeed {
		d.Need, d.Cause = 0, BuildNoise
	}
}

// needOfBlocks returns how many rounds in all an undecided series would have needed at
// least. It plans for a change of exactly the threshold, or for one as small as the
// interval allows where all of that is a change already, as before the first look; if
// that many rounds were measured already, for what the estimate suggests.
func (m *measurement) needOfBlocks(t *Stratified, level, tail, threshold float64, f EffectFloor) int {
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
