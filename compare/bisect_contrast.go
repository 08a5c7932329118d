package compare

import "math"

// A Contrast measures two commits against each other until they are told apart:
// the end points of a bisection before it starts, the culprit and its parent at
// its end. It is a trial of one series, see [Sequence], at most 40 rounds long.
type Contrast struct {
	sequence *Sequence
	rounds   int
	counts   bool
	base     []float64
	head     []float64
}

// NewContrast returns the contrast of a series, of which Base and Head are not used.
func NewContrast(series SequentialSeries) *Contrast {
	series.Base, series.Head = nil, nil
	series.Exact = (&sequentialState{SequentialSeries: series}).counts() // see contrastCounts
	return &Contrast{sequence: NewSequence(SequentialTrial{Series: []SequentialSeries{series}}, SequentialOptions{}), counts: series.Exact}
}

// contrastCounts are the rounds after which counts that repeat exactly are believed
// to: they have no noise to be averaged out.
const contrastCounts = 3

// Add adds one round and reports whether another one is needed.
func (c *Contrast) Add(base, head float64) (open bool) {
	c.rounds++
	c.base, c.head = append(c.base, base), append(c.head, head)
	c.sequence.Add(0, c.rounds, base, head)
	open = c.sequence.Complete(c.rounds) > 0 && c.rounds < CheckPlan().Last()
	if c.counts && c.rounds >= contrastCounts && c.Constant() {
		return false
	}
	return open
}

// Decision ends the contrast and returns its verdict.
func (c *Contrast) Decision() SequentialDecision {
	c.sequence.End(c.rounds)
	return c.sequence.Decisions()[0]
}

// Constant reports whether each side gave the same value in all rounds, as counts do.
func (c *Contrast) Constant() bool {
	for i := range c.base {
		if c.base[i] != c.base[0] || c.head[i] != c.head[0] {
			return false
		}
	}
	return len(c.base) > 0
}

// LogRatios returns ln(head/base) of each round. There is none of a value that is
// not above 0.
func (c *Contrast) LogRatios() (out []float64) {
	for i := range c.base {
		if c.base[i] > 0 && c.head[i] > 0 {
			out = append(out, math.Log(c.head[i]/c.base[i]))
		}
	}
	return out
}
