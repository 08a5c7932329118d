package stat

import "math"

// A measurement summarizes the rounds of one series so far.
type measurement struct {
	pairs    int
	capped   bool    // the ranks were capped, see [SignedRank]
	cause    Cause   // why there is no test; if set, the fields below are invalid
	zero     bool    // the typical round is 0 on one side
	shift    Shift   // shift of the logarithms, or of the values if Absolute is set
	up, down float64 // one-sided p-values for a change beyond the floor
	spread   float64 // spread of the differences within pairs
	size     Shift   // shift of the values, for units with a floor of their own
	adjusted [2]float64

	equal  bool    // both sides are equal or as good as equal, so there is nothing to test
	differ bool    // values are compared by difference; shift and spread are in their unit
	scale  float64 // the typical size of a value, if values are compared by difference
}

// Indexes of the two directions. Each direction has a family of tests.
const up, down = 0, 1

// side returns the index of the direction way, +1 for up or -1 for down.
func side(way int) int {
	if way > 0 {
		return up
	}
	return down
}

// measure computes the parts of a series' measurement independent of other series. Each end of the
// interval errs with a probability of at most tail.
func (p *pairs) measure(st *state, tail float64) {
	st.now = measurement{up: 1, down: 1, adjusted: [2]float64{1, 1}, pairs: st.rounds(p.s.round)}
	m := &st.now
	weighs := weighing{capped: st.Capped}
	if !st.Capped {
		weighs = st.weighing(p.s.round)
	}
	m.capped = weighs.capped
	values := until(st.values, p.s.round)
	var negative bool
	if m.cause, negative = untestable(values); m.cause != NoCause {
		return
	}
	m.equal = st.equal(p.s.round)
	null := st.floor.Null
	p.test.Capped = m.capped
	if negative {
		// Negative values have no log ratios, so compare differences. The null becomes a fraction
		// of the typical value.
		m.differ, m.scale = true, typical(values)
		null = m.scale * math.Expm1(null)
		p.test.Load(values)
	} else {
		p.test.Load(until(st.logs, p.s.round))
	}
	if weighs.clip > 0 && !negative {
		p.sum.load(until(st.logs, p.s.round), weighs.clip)
		m.shift, m.up, m.down = p.sum.interval(tail), p.sum.tails(null).Up, p.sum.tails(-null).Down
	} else {
		m.shift, m.up, m.down = p.test.Interval(tail), p.test.Tails(null).Up, p.test.Tails(-null).Down
	}
	m.spread = p.test.Spread()
	m.zero = math.IsInf(m.shift.Center, 0)
	if m.zero || st.Negligible.Size > 0 {
		p.test.Load(values)
		m.size = p.test.Interval(tail)
	}
}

// relative converts a shift or spread to the logarithm of a ratio. If values are compared by
// difference, the result is approximate, because it relates the shift to the typical value.
func (m *measurement) relative(shift float64) float64 {
	if !m.differ || shift == 0 {
		return shift
	}
	return math.Copysign(math.Log1p(math.Abs(shift)/m.scale), shift)
}

// untestable returns the cause that makes it impossible to test the values, or NoCause. It also
// returns whether any value is negative.
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

// typical returns the median absolute value over both sides.
func typical(values []Pair) float64 {
	var sizes []float64
	for _, p := range values {
		if p.counts() {
			sizes = append(sizes, math.Abs(p.Base), math.Abs(p.Head))
		}
	}
	return Median(sizes)
}
