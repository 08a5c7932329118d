package stat

import "math"

// obstacle says why the values cannot be tested, if they cannot, and
// whether there is a 0 among them.
func (b *blocks) obstacle(st *state) (why Cause, zero bool) {
	pairs := 0
	for _, p := range until(st.values, b.s.round) {
		switch {
		case !p.counts():
			continue
		case min(p.Base, p.Head) < 0:
			return Negative, false
		case math.IsInf(max(p.Base, p.Head), 1):
			return Infinite, false
		case min(p.Base, p.Head) == 0:
			zero = true
		}
		pairs++
	}
	switch {
	case pairs == 0:
		return NoPairs, false
	case zero && !st.Counts && !st.Zeros:
		return Zero, true
	}
	return NoCause, zero
}

// repeats returns the pair that each of the n rounds gave, if that is so and the rule for
// counts has something to say of it.
func (b *blocks) repeats(st *state) (one Pair, n int, ok bool) {
	cause, _ := b.obstacle(st)
	if cause == NoCause && !st.Counts {
		return one, 0, false
	}
	one, n, ok = st.repeats(b.s.round)
	same := one.Base == one.Head && !math.IsInf(one.Base, 0)
	return one, n, ok && (cause == NoCause || same)
}

// decideRepeated decides a series whose values are believed to repeat.
func (b *blocks) decideRepeated(st *state) {
	if st.round != 0 {
		return
	}
	if one, n, ok := b.repeats(st); ok {
		st.decideRepeated(b.s.round, one, n, typicalDiffer)
	}
}
