package stat

import (
	"math"
	"slices"
)

// equal reports whether the sides are the same in each round up to this one, or differ by
// less than can matter. What has means is never believed by its typical rounds.
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

// decideRepeated decides an open series by its values alone, if these are believed.
func (p *pairs) decideRepeated(st *state) {
	if st.round != 0 || st.means.rounds(p.s.round) > 0 {
		return
	}
	one, n, repeats := st.repeats(p.s.round)
	if repeats && !math.IsInf(one.Base, 0) && !math.IsInf(one.Head, 0) && (st.Counts || one.Base == one.Head) {
		st.decideRepeated(p.s.round, one, n, p.s.opt.variant.differ)
	}
	if n := st.rounds(p.s.round); st.round == 0 && n >= p.s.opt.variant.differ && st.equal(p.s.round) {
		shift, bound := differences(until(st.values, p.s.round))
		cause := NoCause
		if shift.Lo != 0 || shift.Hi != 0 {
			cause = TooSmall
		}
		st.settle(p.s.round, n, shift, Same, cause)
		st.decision.Bound = bound
	}
}

// differences is the median of the changes from base to head, from the least to the largest one,
// and the largest of them either way as a fraction of the smaller value: 0 if there is none.
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
