package search

import (
	"math"

	"github.com/perftrack/perftrack/compare"
)

// A Contrast decides whether two commits differ: the two ends before a bisection
// starts, the culprit and its parent at its end. It is a trial of one series, see
// [compare.Sequence], at most 40 rounds long.
type Contrast struct {
	sequence *compare.Sequence
	rounds   int
	counts   bool
	base     []float64
	head     []float64
}

// NewContrast returns the contrast of a series without its values, which [Contrast.Add] takes.
func NewContrast(series compare.SequentialSeries) *Contrast {
	series.Base, series.Head = nil, nil
	series.Exact = series.Exact || series.Unit == "B/op" || series.Unit == "allocs/op" // see contrastCounts
	return &Contrast{sequence: compare.NewSequence(compare.SequentialTrial{Series: []compare.SequentialSeries{series}}, compare.SequentialOptions{}), counts: series.Exact}
}

// contrastCounts is the number of rounds after which counts that repeat exactly are
// believed: they have no noise to be averaged out.
const contrastCounts = 3

// Add adds one round and reports whether another one is needed.
func (c *Contrast) Add(base, head float64) (open bool) {
	c.rounds++
	c.base, c.head = append(c.base, base), append(c.head, head)
	c.sequence.Add(0, c.rounds, base, head)
	open = c.sequence.Complete(c.rounds) > 0 && c.rounds < compare.CheckPlan().Last()
	if c.counts && c.rounds >= contrastCounts && c.constant() {
		return false
	}
	return open
}

// Decision ends the contrast and returns its verdict.
func (c *Contrast) Decision() compare.SequentialDecision {
	c.sequence.End(c.rounds)
	return c.sequence.Decisions()[0]
}

// constant reports whether each side gave the same value in all rounds, as counts do.
func (c *Contrast) constant() bool {
	for i := range c.base {
		if c.base[i] != c.base[0] || c.head[i] != c.head[0] {
			return false
		}
	}
	return len(c.base) > 0
}

// LogRatios returns ln(head/base) of each round whose values are above 0.
func (c *Contrast) LogRatios() (out []float64) {
	for i := range c.base {
		if c.base[i] > 0 && c.head[i] > 0 {
			out = append(out, math.Log(c.head[i]/c.base[i]))
		}
	}
	return out
}
