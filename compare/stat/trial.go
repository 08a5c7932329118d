package stat

// A Pair contains the values of a series in one round, one per side. The values are in the unit of
// the series, or they are logarithms. A missing value is NaN, and a round with a missing value does
// not count.
type Pair struct {
	Base, Head float64
	HeadFirst  bool // head was measured before base
}

// A Series is one hypothesis of a trial: the values of one benchmark in one unit.
type Series struct {
	Better int // +1 if higher values are better, -1 if lower, 0 if undeclared
	// Counts is set if the values count something and so have no noise if they all agree. Declared
	// is set if the benchmark program declares that its values always repeat.
	Counts, Declared bool
	// Capped is set if ranks must be capped because rounds of the benchmark sometimes have extreme
	// values (see [SignedRank]). It must be chosen before the trial. If it is not set, the sizes of
	// the rounds' differences decide.
	Capped     bool
	Negligible Negligible
	// Threshold is the smallest change that matters, as a fraction.
	Threshold float64
	// Noise is the noise floor of the benchmark's history as a fraction. It is 0 if unknown, for
	// example because [NoiseFloor] had too few shifts.
	Noise float64
	// Unknown is set for a series unknown to the history. It belongs to the second family: see
	// [Weight].
	Unknown bool
	// Pairs contains one pair per round, starting with round 1. The trial may have further rounds.
	Pairs []Pair
	// Means contains the means over all slices of the same rounds, in the unit of Pairs. It is nil
	// if no round has a mean, as for fresh processes: their values are means already.
	Means []Pair
}

// A Trial contains everything its decisions depend on.
type Trial struct {
	Series []Series
	// Sessions lists the last round of each session, in order: the first check, then each
	// continuation.
	Sessions []int
}
