package stat

// An Outcome is what is known of a series.
type Outcome int

// The outcomes. Higher and Lower are proven, and large enough to be reported; Same is
// proven, too: any change is smaller than the threshold.
const (
	Open Outcome = iota
	Higher
	Lower
	Same
)

// A Cause is why a series has its outcome, where the numbers do not say it all.
type Cause int

// The causes: the first of Same, the others of Open.
const (
	NoCause    Cause = iota
	TooSmall         // of a change that the unit itself makes negligible
	NoPairs          // no round has both sides
	Negative         // there is a value below 0
	Infinite         // or one that is not finite
	Zero             // or one that has no relative change
	Drift            // paired it is a change, but not among all samples of both sides
	BuildNoise       // builds of one source differ by about the threshold
	Noisy            // its rounds scatter too much for any number that one would measure
)

// A Decision is what a trial says about one series.
//
// Of a decided series everything is as it was at the look that decided;
// samples that were taken later, for another unit of the benchmark, change
// nothing. Of an open one the shift is estimated from all rounds, also
// those after the last look, which decide nothing. Either way the interval
// pays from the plan of the looks, so that the chance that an end is wrong in
// whatever is finally shown is at most Alpha: it is one of 98 % at alpha 1 %.
//
// No number in it is ever NaN. Without an estimate the interval and the bound
// are infinite, and Rounds is 0.
type Decision struct {
	Outcome Outcome
	Cause   Cause
	Round   int  // the look that decided; 0 of an open series
	Rounds  int  // rounds with both sides that the numbers rest on
	Tested  bool // it is one of the hypotheses that share the error rate
	Exact   bool // decided by values that repeat, outside the family
	// Threshold and Noise are the series's, 0 where it has none that is above 0.
	Threshold, Noise float64
	P                float64 // one-sided, in the direction of the shift, before any correction
	AdjustedP        float64 // after Holm's correction and for the share of the look: to be held against Alpha
	Shift            Shift   // how far head lies above base
	// Spread is how much the rounds' log ratios scatter, as a standard deviation ([Scatter]):
	// the noise of a pair. 0 is unknown, as in Blocks, of fewer than four
	// rounds, and where differences are compared and not ratios.
	Spread float64
	// ByMean says that the mean of all slices is what decided, where Outcome is Higher or
	// Lower, or what keeps the series open.
	ByMean bool
	Mean   Mean
	// Capped says that its ranks were capped: see [Series].
	Capped bool
	// Bound is the largest relative change that the interval leaves possible, either
	// way, as a fraction of the smaller value.
	Bound float64
	// Need is how many rounds an open series would have needed at least, 0 where no
	// number is enough.
	Need int
	// Reach is after how many rounds an open series could first have been
	// flagged, where there was no look yet that could: it was not checked. Else 0.
	Reach int
}

// A Mean is what a trial says about the mean of all slices of a series.
type Mean struct {
	Rounds int   // with a mean on both sides; 0: there is none, and all else is 0
	Tested bool  // it is one of the hypotheses that share the error rate
	Shift  Shift // of the mean, relative as that of the series
	// Bound is the largest relative change either way that its interval leaves possible;
	// infinite without one.
	Bound     float64
	AdjustedP float64 // in the direction of the shift, to be held against Alpha
}

// A family is the tests for a change of one direction.
type family int

const (
	neither family = iota
	worse
	better
)
