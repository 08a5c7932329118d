package stat

// A Pair is what one round gave of a series: a value a side, in its own unit or as a
// logarithm. Where a side has none it is NaN, and the round does not count.
type Pair struct {
	Base, Head float64
	HeadFirst  bool // which of them was measured first
}

// A Series is one hypothesis of a trial: what was measured of one
// benchmark in one unit.
type Series struct {
	Better int // +1 higher values are better, -1 lower, 0 nobody said
	// Counts says that the values count something, so that those which repeat show
	// no noise; Declared that whoever prints them says that they always repeat.
	Counts, Declared bool
	// Zeros says that a value of 0 is one like any other: the series is tested in its
	// own unit where it has one, as counts are. Without, it stays open. Only in Blocks.
	Zeros bool
	// Capped says that rounds of the benchmark are now and then far off, and weigh no more
	// than others: see [SignedRank]. It must be known before the trial. Not in Blocks. Without it,
	// the first rounds themselves may say so, by their sizes; only in Pairs.
	Capped     bool
	Negligible Negligible
	// Threshold is the smallest change that matters, as a fraction.
	Threshold float64
	// Noise is the noise floor of the benchmark's history as a fraction; 0 where
	// it is unknown, as when [NoiseFloor] had too few shifts.
	Noise float64
	// Unknown says that the series is of the second family: see [Weight].
	Unknown bool
	// Pairs are one a round, from round 1. There may be rounds after the last.
	Pairs []Pair
	// Means are the means over all slices of the same rounds, in the unit of Pairs; nil where
	// no round has one, as in fresh processes, whose values are means already. Not in Blocks
	// and Typical.
	Means []Pair
}

// A Trial is all that its verdicts depend on.
type Trial struct {
	Series []Series
	// Sessions are the rounds after which each session ended, in order: the
	// first check, then each time that the trial was continued.
	Sessions []int
}
