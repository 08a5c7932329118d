package stat

import "math"

// A measurement is what the rounds so far say of one series.
type measurement struct {
	pairs    int
	capped   bool    // ranks were, see [SignedRank]
	cause    Cause   // why there is no test; then nothing else is valid
	zero     bool    // of Pairs: the typical round has a 0 on one side; of Blocks: there are some
	shift    Shift   // of logarithms; of the values themselves where Absolute is set
	up, down float64 // one-sided p of a change beyond the floor
	spread   float64 // of the differences of pairs, in Blocks of the samples of one side
	size     Shift   // of the values, for units with a floor of their own
	adjusted [2]float64

	equal  bool    // of Pairs: both sides are equal, or as good as equal: nothing to test
	differ bool    // of Pairs: compared by difference: shift and spread are of the values
	scale  float64 // the typical size of a value, where compared by difference
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

// measure computes what does not depend on other series, for an interval that
// errs on each side with the chance tail.
func (p *pairs) measure(st *state, tail float64) {
	st.now = measurement{up: 1, down: 1, adjusted: [2]float64{1, 1}, pairs: st.rounds(p.s.round)}
	m := &st.now
	m.capped = st.Capped || p.s.opt.variant.caps && st.unsettled(p.s.round)
	values := until(st.values, p.s.round)
	var negative bool
	if m.cause, negative = untestable(values); m.cause != NoCause {
		return
	}
	m.equal = st.equal(p.s.round)
	null := st.floor.Null
	p.test.Capped = m.capped
	if negative {
		// There are no ratios. What matters is a part of what the unit's values are like,
		// whichever side they are of.
		m.differ, m.scale = true, typical(values)
		null = m.scale * math.Expm1(null)
		p.test.Load(values)
	} else {
		p.test.Load(until(st.logs, p.s.round))
	}
	m.shift, m.spread = p.test.Interval(tail), p.test.Spread()
	m.up, m.down = p.test.Tails(null).Up, p.test.Tails(-null).Down
	m.zero = math.IsInf(m.shift.Center, 0)
	if m.zero || st.Negligible.Size > 0 {
		p.test.Load(values)
		m.size = p.test.Interval(tail)
	}
}

// relative is a shift or spread as a logarithm: of what is compared by difference about, as a
// part of the typical value.
func (m *measurement) relative(shift float64) float64 {
	if !m.differ || shift == 0 {
		return shift
	}
	return math.Copysign(math.Log1p(math.Abs(shift)/m.scale), shift)
}

// untestable says why values cannot be tested, if they cannot, and whether one is negative.
func untestable(values []Pair) (why Cause, negative bool) {
	why = NoPairs
	for _, p := range values {
		switch {
		case !p.counts():
			continue
		case math.IsInf(p.Base, 0) || math.IsInf(p.Head, 0):
			return Infinite, false
		}
		negative = negative || min(p.Base, p.Head) < 0
		why = NoCause
	}
	return why, negative
}

// typical is the median size of the values of both sides.
func typical(values []Pair) float64 {
	var sizes []float64
	for _, p := range values {
		if p.counts() {
			sizes = append(sizes, math.Abs(p.Base), math.Abs(p.Head))
		}
	}
	return Median(sizes)
}
