package verdicts

import (
	"fmt"

	"github.com/perftrack/perftrack/compare/internal/simulatetest/figures"

	"github.com/perftrack/perftrack/compare"
)

// Ours is the shipped procedure, Capped what it is for benchmarks whose rounds are often
// off, and Before the one of trials that do not say theirs.
var (
	Ours   = Named{"pairs", func() Rule { return &Procedure{} }}
	Capped = Named{"pairs, capped", func() Rule { return &Procedure{Capped: true} }}
	Before = Named{"blocks", func() Rule { return &Procedure{Blocks: true} }}
)

// The shares that no kind of noise may exceed, or fall below.
const (
	mostAlarms    = 0.01  // of pull requests have any false regression, and any false improvement
	mostUnchanged = 0.01  // of changes of the threshold are called unchanged
	leastCovered  = 0.975 // of intervals have the true shift: nominal 98 %, less half a point
)

// effects are those of the table; the third is the threshold.
var effects = []float64{0, 0.02, 0.05, 0.1}

// A Row is what a rule said of a kind of noise, at each of the effects.
type Row [4]*Tally

// RunRow lets a rule judge as many pull requests of a kind of noise at each effect.
func (f Family) RunRow(n [4]int, seed uint64, rule Named) (row Row) {
	for i, effect := range effects {
		s := f.Scenario
		s.Effect = effect
		row[i] = Run(s, n[i], seed+uint64(i)<<32, rule)[0]
	}
	return row
}

// Failures lists the figures that miss their goal by the one-sided 95 % bound:
// certain is false where the goal must only not be excluded by the data, as is
// fit for few pull requests, and true where it must be shown to be reached.
func (f Family) Failures(row Row, certain bool) (out []string) {
	if f.Alike {
		return nil
	}
	atMost := func(what string, x, n int, limit float64, certain bool) {
		bound := figures.AtLeast(x, n)
		if certain {
			bound = figures.AtMost(x, n)
		}
		if n > 0 && bound > limit {
			out = append(out, fmt.Sprintf("%s: %d of %d, bound %.3f %%, at most %g %%", what, x, n, 100*bound, 100*limit))
		}
	}
	null, changed := row[0], row[2]
	atMost("pull requests with a false regression", null.Alarms, null.PullRequests, mostAlarms, certain)
	atMost("pull requests with a false improvement", null.Wrong.Of(compare.Improved), null.PullRequests, mostAlarms, certain)
	atMost("called unchanged", changed.Unchanged, changed.PullRequests, mostUnchanged, certain)
	if f.Found > 0 {
		atMost("not found", changed.PullRequests-changed.Found, changed.PullRequests, 1-f.Found, certain)
	}
	for i, t := range row {
		if !f.Shapeless {
			certain := certain && effects[i] != 0.02 && effects[i] != 0.1 // of which few are drawn
			atMost(fmt.Sprintf("intervals without the true shift of %g", effects[i]), t.Estimated-t.Covered, t.Estimated, 1-leastCovered, certain)
		}
	}
	if f.Mean > 0 && changed.MeanSamples() > f.Mean {
		out = append(out, fmt.Sprintf("%.1f rounds in the mean, at most %g", changed.MeanSamples(), f.Mean))
	}
	return out
}
