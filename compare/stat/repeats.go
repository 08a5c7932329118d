package stat

import (
	"math"
	"slices"
)

// Counts that repeat are believed by one rule, wherever a trial is decided: in a check, in
// a trial of fixed length, at the ends of a bisection; and between the levels of a history.
//
//   - That a count differs is believed when each side gave one value in seven rounds. A count
//     that takes two values as often as each other looks like that with a chance of 2^-13, in 1
//     of 8,000; after three rounds it would in 3 of a hundred. (In ten rounds, in 2 of a
//     million, where Blocks or Typical decide.)
//
//   - That it is the same, or as good as the same, is believed after two rounds, as is any
//     difference of what its producer declared to be exact.
//
//   - Of what cannot be tested one thing can be known: a value that is the same on both
//     sides in seven rounds, as 0 is, has not changed.
//
//   - What is equal on both sides in each of seven rounds, or differs by less than can matter,
//     has not changed either, though it may vary from round to round. (Not in Blocks.)
//
// Until then, and if it varies only once, a count is tested as a time is: the test may
// show the difference before, in any number of rounds, at the error rate of all. As long as
// its sides are equal, or as good as equal, it is no hypothesis: there is nothing that a test
// could show. It may become one later. That is as the sizes of the differences have it, whichever
// side is the larger one, so that the errors of the others are what they were planned to be.
const (
	DifferRounds  = 7 // of each side, each with one value
	sameRounds    = 2
	typicalDiffer = 10 // DifferRounds of Blocks and of Typical
)

// Negligible says how large a change of a unit may be and still never matter.
type Negligible struct {
	Size float64 // the largest difference
	Part float64 // of values that repeat, the largest difference as a part of the smaller one
	// Below is what both values stay below that are fractions of what the unit counts, as where
	// an allocation serves many operations: these differ by nothing that matters. Only in Pairs.
	Below float64
	// Jitter and JitterPart, the larger one, are what values may lie off the usual one, up to
	// which they still repeat: a few bytes of the runtime's own. Only in Pairs.
	Jitter, JitterPart float64
}

// before is what was negligible to the procedures before Pairs.
func (n Negligible) before() Negligible { return Negligible{Size: n.Size, Part: n.Part} }

// covers reports whether the difference of two values is nothing, or never matters.
func (n Negligible) covers(base, head float64) bool {
	size := math.Abs(head - base)
	return base == head || size <= n.Size || n.Part > 0 && size <= n.Part*min(base, head) ||
		min(base, head) >= 0 && max(base, head) < n.Below
}

// Repeated weighs the difference of two values that repeat exactly: it is real, and only
// its size is left to judge.
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

// decideRepeated decides a series each of whose n rounds gave the same pair of values, if
// that is believed: that they differ after so many.
func (st *state) decideRepeated(round int, one Pair, n, differ int) {
	shift, outcome, cause := Repeated(one.Base, one.Head, st.Negligible)
	least := differ
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

// settle decides a series by its values alone, outside the family.
func (st *state) settle(round, n int, shift Shift, outcome Outcome, cause Cause) {
	st.round = round
	st.decision = Decision{
		Outcome: outcome, Cause: cause, Round: round, Rounds: n, Exact: true,
		Threshold: st.Threshold, Noise: st.Noise, P: 1, AdjustedP: 1, Shift: shift, Bound: math.Inf(1),
	}
}

// repeats returns the pair that each of the n rounds up to a round gave, if that is so: of values that
// may lie off the usual one a little, the usual ones.
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

// usual is the value that most are, the smallest of several, and whether none lies off it by more than the jitter.
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
