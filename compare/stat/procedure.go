package stat

// A Procedure is how a trial is decided. It is stored with the trial, so that one which was
// decided keeps its verdict when the procedure for new ones changes.
type Procedure string

const (
	// Pairs believes pairs: the signed-rank test of the rounds' log ratios, those of their
	// typical slices and those of the means of all slices. It decides all trials that are
	// measured now.
	Pairs Procedure = "typical-and-mean"
	// Typical decided trials before, by their typical slices alone. Those trials keep the
	// verdict that they had: see variant.
	Typical Procedure = "signed-rank"
	// Blocks decided trials before: van Elteren's test in blocks of five rounds, where
	// benchstat agreed. Those trials are shown with the verdict that they had, and that is
	// all it is kept for, in the files whose names begin with blocks.
	Blocks Procedure = ""
)

// ByPairs reports whether pairs of rounds decide: in [Pairs] and in [Typical].
func (p Procedure) ByPairs() bool { return p == Pairs || p == Typical }

// A variant is all that sets Pairs and Typical apart.
type variant struct {
	plan    Plan
	means   bool // the mean of all slices is a hypothesis, too
	jitters bool // counts that repeat may jitter, and be fractions
	caps    bool // the sizes of its first rounds may cap the ranks of a series
	differ  int  // rounds after which counts that repeat are believed to differ
}

func (p Procedure) variant() variant {
	if p == Typical {
		return variant{plan: typicalPlan(), differ: typicalDiffer}
	}
	return variant{plan: CheckPlan(), means: true, caps: true, jitters: true, differ: DifferRounds}
}

// rules are how a procedure decides what a sequence holds.
type rules interface {
	// begin forgets the trial before.
	begin()
	// look decides the open series, where the plan has a look at this round.
	look()
	// end is called when a session ends, before the next one begins.
	end()
	// tested is how many series of the trial share the error rate.
	tested() int
	// leave describes the series that are still open.
	leave()
}
