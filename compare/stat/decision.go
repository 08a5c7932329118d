package stat

// An Outcome is a trial's conclusion about a series.
type Outcome int

// The outcomes. Higher and Lower are proven changes, large enough to report. Same means any change
// is proven to be smaller than the threshold.
const (
	Open Outcome = iota
	Higher
	Lower
	Same
)

// A Cause explains an outcome beyond its numbers.
type Cause int

// The causes of a decision. Same may have the cause TooSmall, and Open has one of the later causes.
const (
	NoCause    Cause = iota
	TooSmall         // the change is negligible in the unit itself
	NoPairs          // no round has values on both sides
	Negative         // there is a value below 0
	Infinite         // a value is infinite
	Zero             // a value of 0 has no relative change
	Drift            // the pairs show a change, but the samples as a whole do not
	BuildNoise       // builds of the same source differ by about the threshold
	Noisy            // the rounds scatter too much to decide in a reasonable number of them
)

// A Decision is the result of a trial for one series.
//
// The numbers of a decided series are those of the deciding look. Later samples, taken for another
// unit of the benchmark, do not change them. The shift of an open series is estimated from all
// rounds, including those after the last look, which decide nothing. In both cases, the interval
// uses up part of the error rate in the plan, so each end of the final interval is wrong with a
// probability of at most Alpha. With an Alpha of 1 %, it is a 98 % interval.
//
// No number in a Decision is ever NaN. If there is no estimate, the interval and the bound are
// infinite and Rounds is 0.
type Decision struct {
	Outcome Outcome
	Cause   Cause
	Round   int  // the round of the deciding look; 0 if the series is open
	Rounds  int  // rounds with values on both sides, the basis of the numbers
	Tested  bool // the series is a hypothesis that shares the error rate
	Exact   bool // decided because its values repeat, outside the family of tests
	// Threshold and Noise are copied from the series; values not above 0 become 0.
	Threshold, Noise float64
	P                float64 // one-sided, in the direction of the shift, before any correction
	AdjustedP        float64 // after Holm's correction, divided by the share of the look; compare with Alpha
	Shift            Shift   // how far head lies above base
	// Spread is the standard deviation of the rounds' log ratios (see [Scatter]): the noise of a
	// pair. It is 0 (unknown) if there are fewer than four rounds or if values are compared by
	// difference.
	Spread float64
	// ByMean is set if the mean of all slices decided the series (Outcome is Higher or Lower) or
	// keeps it open.
	ByMean bool
	Mean   Mean
	// Capped is set if the ranks were capped: see [Series].
	Capped bool
	// Bound is the largest relative change within the interval, in either direction, as a fraction
	// of the smaller value.
	Bound float64
	// Need is the smallest number of rounds that would have decided an open series, or 0 if no
	// number is enough.
	Need int
	// Reach is the number of rounds after which a look could first flag an open series. It is 0 if
	// a look could have flagged the series already or if more rounds would not help.
	Reach int
}

// A Mean is a trial's result for the mean of all slices of a series.
type Mean struct {
	Rounds int   // rounds with a mean on both sides; if 0, all other fields are 0
	Tested bool  // the mean is a hypothesis that shares the error rate
	Shift  Shift // shift of the mean, always relative
	// Bound is the largest relative change within the interval, in either direction, or infinite if
	// there is no interval.
	Bound     float64
	AdjustedP float64 // in the direction of the shift; compare with Alpha
}

// A family is the set of tests for changes in one direction.
type family int

const (
	neither family = iota
	worse
	better
)
