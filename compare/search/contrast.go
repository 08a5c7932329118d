package search

import (
	"math"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/stat"
)

// A Contrast decides whether two commits differ: the two ends before a bisection
// starts, the culprit and its parent at its end. It is a check of one series, see
// [stat.Sequence], of as many rounds as its plan has at most.
type Contrast struct {
	sequence *stat.Sequence
	better   int
	pairs    []stat.Pair
}

// NewContrast returns the contrast of a benchmark in a unit, of which higher (+1) or lower
// (-1) values are better and changes from threshold on matter.
func NewContrast(unit string, better int, threshold float64) *Contrast {
	series := compare.SeriesOf(unit, better, false)
	series.Threshold = threshold
	return &Contrast{better: better, sequence: stat.NewSequence(stat.Trial{Series: []stat.Series{series}}, stat.Options{Procedure: stat.Pairs})}
}

// Add adds one round and reports whether another one is needed.
func (c *Contrast) Add(base, head float64) (open bool) {
	p := stat.Pair{Base: base, Head: head}
	c.pairs = append(c.pairs, p)
	round := len(c.pairs)
	c.sequence.Add(0, round, p)
	return c.sequence.Complete(round) > 0 && round < stat.CheckPlan().Last()
}

// Decision ends the contrast and returns its verdict.
func (c *Contrast) Decision() compare.Decision {
	c.sequence.End(len(c.pairs))
	return compare.DecisionOf(c.sequence.Decisions()[0], c.better)
}

// LogRatios returns ln(head/base) of each round whose values are above 0.
func (c *Contrast) LogRatios() (out []float64) {
	for _, p := range c.pairs {
		if p.Base > 0 && p.Head > 0 {
			out = append(out, math.Log(p.Head/p.Base))
		}
	}
	return out
}
