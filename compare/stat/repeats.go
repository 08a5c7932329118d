package stat

import (
	"math"
	"slices"
)

// One rule decides repeating counts everywhere: in a check, in a trial of fixed length, at the ends
// of a bisection, and between the levels of a history.
//
//   - A count differs if each side repeated a single value in seven rounds and the two values are
//     not equal. A count that takes two values equally often looks like this with a probability of
//     2^-13, or 1 in 8,000; after three rounds the probability would still be 3 %.
//   - A count is the same, or as good as the same, after two rounds. Two rounds also prove any
//     difference in a unit declared exact.
//   - An untestable value, such as 0, has not changed if it is the same on both sides in seven
//     rounds.
//   - A value varying from round to round has not changed either if, in each of seven rounds, it is
//     equal on both sides or differs by a negligible amount.
//
// Until then, or if it varies even once, a count is tested like a time. The test may prove the
// difference earlier, after any number of rounds, at the error rate for all hypotheses. While both
// sides are equal, or as good as equal, the count is not a hypothesis, because a test could not
// prove anything; it may become a hypothesis later. This depends only on the sizes of the
// differences, not on their directions, so the error rates of the other hypotheses stay as planned.
const (
	DifferRounds = 7 // rounds in which each side must repeat its value
	sameRounds   = 2
)

// Negligible describes the changes in a unit too small to matter.
type Negligible struct {
	Size float64 // the largest negligible difference
	Part float64 // the same as a fraction of the smaller value; ignored by the sequential tests
	// Below applies to fractions of a counted thing, such as one allocation in many operations. If
	// both values are below it, no difference matters.
	Below float64
	// Jitter and JitterPart, whichever allows more, bound how far values may be from the most
	// frequent one and still count as repeating. They allow for a few bytes that the runtime allocates.
	// JitterPart is a fraction of the most frequent value.
	Jitter, JitterPart float64
}

// covers reports whether two values are equal or differ by a negligible amount.
func (n Negligible) covers(base, head float64) bool {
	size := math.Abs(head - base)
	return base == head || size <= n.Size || n.Part > 0 && size <= n.Part*min(base, head) ||
		min(base, head) >= 0 && max(base, head) < n.Below
}

// Repeated judges the difference between two exactly repeating values. Such a difference is real,
// so only its size matters.
func Repeated(base, head float64, n Negligible) (Shift, Outcome, Cause) {
	shift := Shift{Center: head/base - 1, Lo: head/base - 1, Hi: head/base - 1}
	if base == 0 || min(base, head) < 0 {
		shift = Shift{Center: head - base, Lo: head - base, Hi: head - base, Absolute: true}
	}
	switch {
	case base == head:
		return Shift{}, Same, NoCause
	case n.covers(base, head):
		return shift, Same, TooSmall
	case head > base:
		return shift, Higher, NoCause
	}
	return shift, Lower, NoCause
}

// decideRepeated decides a series with the same pair of values in all n rounds, if n is large
// enough.
func (st *state) decideRepeated(round int, one Pair, n int) {
	shift, outcome, cause := Repeated(one.Base, one.Head, st.Negligible)
	least := DifferRounds
	if st.Declared || st.Counts && outcome == Same {
		least = sameRounds
	}
	if n < least {
		return
	}
	st.settle(round, n, shift, outcome, cause)
	if !shift.Absolute {
		st.decision.Bound = math.Expm1(math.Abs(math.Log1p(shift.Center)))
	}
}

// settle decides a series by its values alone, outside the family of tests.
func (st *state) settle(round, n int, shift Shift, outcome Outcome, cause Cause) {
	st.round = round
	st.decision = Decision{
		Outcome: outcome, Cause: cause, Round: round, Rounds: n, Exact: true,
		Threshold: st.Threshold, Noise: st.Noise, P: 1, AdjustedP: 1, Shift: shift, Bound: math.Inf(1),
	}
}

// repeats returns the pair of values in all n rounds up to round. If values may differ a little, it
// returns the most frequent ones. ok is false if the values do not repeat.
func (st *state) repeats(round int) (one Pair, n int, ok bool) {
	one, n = missing, 0
	var sides [2][]float64
	same := true
	for _, p := range until(st.values, round) {
		if !p.counts() {
			continue
		}
		if n++; n == 1 {
			one = p
		}
		same = same && p.Base == one.Base && p.Head == one.Head
		sides[0], sides[1] = append(sides[0], p.Base), append(sides[1], p.Head)
	}
	if same || st.Negligible.Jitter == 0 {
		return one, n, same && n > 0
	}
	var all [2]bool
	one.Base, all[0] = st.Negligible.usual(sides[0])
	one.Head, all[1] = st.Negligible.usual(sides[1])
	return one, n, all[0] && all[1]
}

// usual returns the most frequent value, or the smallest one if several are equally frequent, and
// whether all values lie within the jitter around it.
func (n Negligible) usual(values []float64) (usual float64, all bool) {
	slices.Sort(values)
	most, run := 0, 0
	for i, v := range values {
		if run++; i > 0 && v != values[i-1] {
			run = 1
		}
		if run > most {
			usual, most = v, run
		}
	}
	within := max(n.Jitter, n.JitterPart*usual)
	return usual, values[len(values)-1]-usual <= within && usual-values[0] <= within
}
