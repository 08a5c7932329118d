package search

import (
	"math"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/stat"
)

// A Contrast decides whether two commits differ. They are the two ends of a history before a
// bisection starts, or the culprit and its parent after it has finished. A Contrast is a check of
// one series (see [stat.Sequence]) with at most as many rounds as the plan of a check.
type Contrast struct {
	sequence *stat.Sequence
	better   int
	pairs    []stat.Pair
}

// NewContrast returns the contrast for a benchmark in a unit. better is +1 if higher values are
// better and -1 if lower values are; threshold is the smallest change that matters.
func NewContrast(unit string, better int, threshold float64) *Contrast {
	series := compare.SeriesOf(unit, better, false)
	series.Threshold = threshold
	return &Contrast{better: better, sequence: stat.NewSequence(stat.Trial{Series: []stat.Series{series}}, stat.Options{})}
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

// LogRatios returns ln(head/base) for each round with both values above 0.
func (c *Contrast) LogRatios() (out []float64) {
	for _, p := range c.pairs {
		if p.Base > 0 && p.Head > 0 {
			out = append(out, math.Log(p.Head/p.Base))
		}
	}
	return out
}
