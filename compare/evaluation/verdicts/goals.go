package verdicts

import (
	"fmt"

	"github.com/perftrack/perftrack/compare/evaluation/figures"

	"github.com/perftrack/perftrack/compare"
)

// Ours is the shipped procedure. Capped is the variant for benchmarks with many outliers.
var (
	Ours   = Named{"pairs", func() Rule { return &Procedure{} }}
	Capped = Named{"pairs, capped", func() Rule { return &Procedure{Capped: true} }}
)

// These limits apply to every kind of noise.
const (
	mostAlarms    = 0.01  // share of pull requests with any false regression, or with any false improvement
	mostUnchanged = 0.01  // share of changes as large as the threshold that are called unchanged
	leastCovered  = 0.975 // share of intervals containing the true shift: nominally 98 %, less half a point
)

// effects are the effects in the table; the third is the threshold.
var effects = []float64{0, 0.02, 0.05, 0.1}

// A Row contains a rule's results for one kind of noise, one for each effect.
type Row [4]*Tally

// RunRow lets a rule judge n[i] pull requests with this kind of noise for each effect i.
func (f Family) RunRow(n [4]int, seed uint64, rule Named) (row Row) {
	for i, effect := range effects {
		s := f.Scenario
		s.Effect = effect
		row[i] = Run(s, n[i], seed+uint64(i)<<32, rule)[0]
	}
	return row
}

// Failures lists the goals missed by row, according to one-sided 95 % bounds. If certain is false,
// it lists the goals ruled out by the data. If certain is true, it lists the goals not proven by
// the data, and so needs many pull requests.
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
			certain := certain && effects[i] != 0.02 && effects[i] != 0.1 // few pull requests are drawn for these effects
			atMost(fmt.Sprintf("intervals without the true shift of %g", effects[i]), t.Estimated-t.Covered, t.Estimated, 1-leastCovered, certain)
		}
	}
	if f.Mean > 0 && changed.MeanSamples() > f.Mean {
		out = append(out, fmt.Sprintf("%.1f rounds in the mean, at most %g", changed.MeanSamples(), f.Mean))
	}
	return out
}
