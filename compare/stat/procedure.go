package stat

// A Procedure is how a trial is decided. It is stored with the trial, so that one which was
// decided keeps its verdict when the procedure for new ones changes.
type Procedure string

const (
	// Pairs believes pairs: the signed-rank test of the rounds' log ratios. It decides
	// all trials that are measured now.
	Pairs Procedure = "signed-rank"
	// Blocks decided trials before: van Elteren's test in blocks of five rounds, where
	// benchstat agreed. Those trials are shown with the verdict that they had, and that is
	// all it is kept for, in the files whose names begin with blocks.
	Blocks Procedure = ""
)

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
