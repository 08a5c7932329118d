package stat

import (
	"math"
	"slices"
)

// A clippedSum tests the sum of the differences within pairs, using the same coins as [SignedRank].
// Its p is the fraction of all coin outcomes for which the sum is at least as large as the measured
// one (Fisher, "The design of experiments", 1935, section 21). No difference counts for more than
// clip, so the estimate is Huber's ("Robust estimation of a location parameter", Annals of
// Mathematical Statistics 35, 1964). The sum finds more changes than ranks do if the differences
// have a few distinct sizes, because a round of -2 % then weighs almost nothing compared with one
// of +22 %.
//
// Sums are rounded conservatively: differences are rounded to fractions of clip, down when testing
// for an increase and up when testing for a decrease. So p is monotonic in the tested shift, and
// the interval is the dual of the test.
type clippedSum struct {
	clip  float64
	diffs []float64
	steps []int // scratch: the differences in steps
	null  nullRanks
}

// clippedSteps is the number of steps into which clip is divided.
const clippedSteps = 64

// load sets the clip and the pairs to test.
func (c *clippedSum) load(pairs []Pair, clip float64) {
	c.clip, c.diffs = clip, c.diffs[:0]
	for _, p := range pairs {
		if p.counts() {
			c.diffs = append(c.diffs, difference0(p.Base, p.Head))
		}
	}
}

// tails tests the hypothesis that head is above base by exactly shift.
func (c *clippedSum) tails(shift float64) Tails {
	return Tails{Up: c.tail(shift, +1), Down: c.tail(shift, -1)}
}

// tail tests the hypothesis that head is no further than shift in the direction of sign. It returns
// the fraction of all subsets of rounds for which the sum would be at least as large as measured if
// the coins of exactly these rounds had fallen the other way.
func (c *clippedSum) tail(shift float64, sign int) float64 {
	c.steps = c.steps[:0]
	opposed := 0
	for _, d := range c.diffs {
		x := float64(sign) * (d - shift) / c.clip * clippedSteps
		step := int(math.Floor(max(-clippedSteps, min(x, clippedSteps))))
		if step < 0 {
			step = -step
			opposed += step
		}
		c.steps = append(c.steps, step)
	}
	return sumOf(c.null.subsets(c.steps, opposed))
}

// interval returns Huber's estimate and the interval dual to the test. Each end errs with a
// probability of at most tail, and is at most an eighth of a step too far out. All differences must
// be finite.
func (c *clippedSum) interval(tail float64) Shift {
	out := Shift{Lo: math.Inf(-1), Hi: math.Inf(1), Absolute: true}
	if len(c.diffs) == 0 {
		return out
	}
	lo, hi := slices.Min(c.diffs)-2*c.clip, slices.Max(c.diffs)+2*c.clip
	within := c.clip / clippedSteps / 8
	const exact = 0 // as precise as floating point allows
	out.Center = middle(
		lastBefore(lo, hi, exact, func(shift float64) bool { return c.leans(shift) <= 0 }),
		-lastBefore(-hi, -lo, exact, func(shift float64) bool { return c.leans(-shift) >= 0 }))
	if c.tail(lo, +1) <= tail {
		out.Lo = lastBefore(lo, hi, within, func(shift float64) bool { return c.tail(shift, +1) > tail })
	}
	if c.tail(hi, -1) <= tail {
		out.Hi = -lastBefore(-hi, -lo, within, func(shift float64) bool { return c.tail(-shift, -1) > tail })
	}
	return out
}

// leans returns the sum of the differences after subtracting shift from each and clipping the
// result.
func (c *clippedSum) leans(shift float64) (sum float64) {
	for _, d := range c.diffs {
		sum += max(-c.clip, min(d-shift, c.clip))
	}
	return sum
}

// lastBefore searches the values between lo and hi for the first one for which has is true. It
// returns a value for which has is still false, at most within below that first one.
func lastBefore(lo, hi, within float64, has func(float64) bool) float64 {
	for hi-lo > within {
		x := lo + (hi-lo)/2
		if x == lo || x == hi {
			break
		}
		if has(x) {
			hi = x
		} else {
			lo = x
		}
	}
	return lo
}
