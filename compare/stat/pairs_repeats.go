package stat

import (
	"math"
	"slices"
)

// equal reports whether the sides agree in each round up to the given one, or differ only by a
// negligible amount. It returns false for a series with means, which is never decided by its
// typical rounds alone.
func (st *state) equal(round int) bool {
	any := false
	if st.means.rounds(round) > 0 {
		return false
	}
	for _, p := range until(st.values, round) {
		switch {
		case !p.counts():
			continue
		case math.IsInf(p.Base, 0) || math.IsInf(p.Head, 0) || !st.Negligible.covers(p.Base, p.Head):
			return false
		}
		any = true
	}
	return any
}

// decideRepeated decides an open series without a test if its values have repeated often enough.
func (p *pairs) decideRepeated(st *state) {
	if st.round != 0 || st.means.rounds(p.s.round) > 0 {
		return
	}
	one, n, repeats := st.repeats(p.s.round)
	if repeats && !math.IsInf(one.Base, 0) && !math.IsInf(one.Head, 0) && (st.Counts || one.Base == one.Head) {
		st.decideRepeated(p.s.round, one, n)
	}
	if n := st.rounds(p.s.round); st.round == 0 && n >= DifferRounds && st.equal(p.s.round) {
		shift, bound := differences(until(st.values, p.s.round))
		cause := NoCause
		if shift.Lo != 0 || shift.Hi != 0 {
			cause = TooSmall
		}
		st.settle(p.s.round, n, shift, Same, cause)
		st.decision.Bound = bound
	}
}

// differences returns the median, the smallest and the largest change from base to head as a shift.
// bound is the largest change in either direction, as a fraction of the smaller value, or 0 if
// nothing changed.
func differences(values []Pair) (shift Shift, bound float64) {
	var relative, absolute []float64
	for _, p := range values {
		if !p.counts() {
			continue
		}
		if p.Base != p.Head {
			if min(p.Base, p.Head) <= 0 {
				bound = math.Inf(1)
			} else {
				bound = max(bound, max(p.Base, p.Head)/min(p.Base, p.Head)-1)
			}
			relative = append(relative, p.Head/p.Base-1)
		} else {
			relative = append(relative, 0)
		}
		absolute = append(absolute, p.Head-p.Base)
	}
	v := relative
	if shift.Absolute = math.IsInf(bound, 1); shift.Absolute {
		v = absolute
	}
	shift.Center, shift.Lo, shift.Hi = Median(v), slices.Min(v), slices.Max(v)
	return shift, bound
}
