package stat

import "math"

// Counts that repeat are believed by one rule, wherever a trial is decided: in a check, in
// a trial of fixed length, at the ends of a bisection.
//
//   - That a count differs is believed when each side gave one value in ten rounds. A count
//     that takes two values as often as each other looks like that in 2 of a million; after
//     three rounds it would in 3 of a hundred.
//   - That it is the same, or as good as the same, is believed after two rounds, as is any
//     difference of what its producer declared to be exact.
//   - Of what cannot be tested one thing can be known: a value that is the same on both
//     sides in ten rounds, as 0 is, has not changed.
//
// Until then, and if it varies only once, a count is tested as a time is: the test may
// show the difference before, in any number of rounds, at the error rate of all.
const (
	differRounds = 10
	sameRounds   = 2
)

// Negligible says how large a change of a unit may be and still never matter.
type Negligible struct {
	Size float64 // the largest difference
	Part float64 // of values that repeat, the largest difference as a part of the smaller one
}

// Repeated weighs the difference of two values that repeat exactly: it is real, and only
// its size is left to judge.
func Repeated(base, head float64, n Negligible) (Shift, Outcome, Cause) {
	shift := Shift{Center: head/base - 1, Lo: head/base - 1, Hi: head/base - 1}
	if base == 0 {
		shift = Shift{Center: head, Lo: head, Hi: head, Absolute: true}
	}
	switch size := math.Abs(head - base); {
	case base == head:
		return Shift{}, Same, NoCause
	case size <= n.Size || n.Part > 0 && size <= n.Part*min(base, head):
		return shift, Same, TooSmall
	case head > base:
		return shift, Higher, NoCause
	}
	return shift, Lower, NoCause
}

// decideRepeated decides a series whose values are believed to repeat.
func (st *state) decideRepeated(round int) {
	if st.round != 0 {
		return
	}
	one, n, ok := st.repeats(round)
	if !ok {
		return
	}
	shift, outcome, cause := Repeated(one.Base, one.Head, st.Negligible)
	least := differRounds
	if st.Declared || st.Counts && outcome == Same {
		least = sameRounds
	}
	if n < least {
		return
	}
	st.round = round
	st.decision = Decision{
		Outcome: outcome, Cause: cause, Round: round, Rounds: n, Exact: true,
		Threshold: st.Threshold, Noise: st.Noise, P: 1, AdjustedP: 1, Shift: shift, Bound: math.Inf(1),
	}
	if !shift.Absolute {
		st.decision.Bound = math.Expm1(math.Abs(math.Log1p(shift.Center)))
	}
}

// repeats returns the pair that each of the n rounds up to a round gave, if that is so and
// the rule has something to say of it.
func (st *state) repeats(round int) (one Pair, n int, ok bool) {
	cause, _ := st.obstacle(round)
	if cause == NoCause && !st.Counts {
		return one, 0, false
	}
	for _, p := range until(st.values, round) {
		switch {
		case !p.counts():
			continue
		case n == 0:
			one = p
		case p.Base != one.Base || p.Head != one.Head:
			return one, n, false
		}
		n++
	}
	same := one.Base == one.Head && !math.IsInf(one.Base, 0)
	return one, n, n > 0 && (cause == NoCause || same)
}
