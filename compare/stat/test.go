package stat

// A Test holds the pairs of one series against each other. Values are as they are or
// logarithms, whichever the caller wants differences of.
type Test interface {
	// Load takes the pairs, in the order of their rounds from the first on. Those
	// without a value on either side do not count.
	Load(pairs []Pair)

	// Tails are the one-sided p of the loaded pairs, if head lay above base by shift.
	Tails(shift float64) Tails
	// Interval estimates by how much head lies above base. Each end of the interval
	// errs with a chance of at most tail; it is infinite with too few rounds.
	Interval(tail float64) Shift

	// Spread is how much samples of one side scatter, as Required wants it.
	Spread() float64
	// Required returns how many rounds show a shift with a chance of 99 %, where samples
	// scatter by spread and the test may err with the chance level.
	Required(spread, level, shift float64) int
	// LeastP is the smallest one-sided p that so many rounds can give, of which those
	// count that were measured.
	LeastP(rounds int, measured func(round int) bool) float64
}

// newTest returns the test by which trials are decided.
func newTest() Test { return &Stratified{Block: blockRounds} }

// Tails are the chances, if head lay above base by exactly the shift that was
// tested, of a statistic at least as far up, and at least as far down.
type Tails struct{ Up, Down float64 }

// TwoSided returns the two-sided p, which benchmath calls P.
func (t Tails) TwoSided() float64 { return min(1, 2*min(t.Up, t.Down)) }
