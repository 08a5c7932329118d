package verdicts

import (
	"fmt"
	"math"

	"github.com/perftrack/perftrack/compare/internal/simulatetest/figures"
	"github.com/perftrack/perftrack/compare/internal/simulatetest/noise"
)

// Ours is the shipped procedure.
var Ours = Named{"perftrack", func() Rule { return &Procedure{} }}

// A Goal is a scenario and what the procedure must reach in it, besides what
// it must reach in each: see Failures.
type Goal struct {
	Name string
	Scenario
	Found float64 // least share of changed benchmarks that are flagged; 0 none
	Mean  float64 // most samples a side of all benchmarks in the mean; 0 none
}

// The shares that no scenario may exceed, or fall below.
const (
	mostAlarms    = 0.01 // of pull requests have any false regression
	mostUnchanged = 0.01 // of changes of the threshold are called unchanged
	leastCovered  = 0.97 // of intervals have the true shift: nominal 98 %, less a point
	mostBias      = 0.1  // of the coefficient of variation
)

// spread is the coefficient of variation of one sample, layouts included.
func (s Scenario) spread() float64 {
	if s.Layout == NoLayout {
		return s.CV[0]
	}
	return math.Hypot(s.CV[0], s.LayoutCV)
}

// Goals are the scenarios of the published table, of one kind of noise.
func Goals(f noise.Family) []Goal {
	of := func(cv, drift, effect float64) Scenario {
		return Scenario{Family: f, CV: []float64{cv}, Drift: drift, Effect: effect}
	}
	var out []Goal
	for _, cv := range []float64{0.01, 0.03, 0.1} {
		for _, drift := range []float64{0, 0.25, 0.7} {
			out = append(out, Goal{Name: fmt.Sprintf("nothing changed, CV %g %%, drift %g", 100*cv, drift), Scenario: of(cv, drift, 0)})
		}
	}
	mixed := of(0, 0.25, 0)
	mixed.CV = []float64{0.003, 0.01, 0.03, 0.1}
	threshold := of(0.01, 0.25, 0.02)
	threshold.Threshold = 0.02
	layouts := func(cv, effect float64) Scenario {
		s := of(cv, 0.25, effect)
		s.Layout, s.LayoutCV = Rotated, 0.02
		return s
	}
	second := func(effect float64) Scenario {
		s := of(0.01, 0.25, effect)
		s.Second = 0.03
		return s
	}
	out = append(out,
		Goal{Name: "nothing changed, CV 0.3 to 10 %, drift 0.25", Scenario: mixed},
		Goal{Name: "+5 %, CV 1 %", Scenario: of(0.01, 0.25, 0.05), Found: 0.999, Mean: 10.5},
		Goal{Name: "+5 %, CV 3 %", Scenario: of(0.03, 0.25, 0.05), Found: 0.99, Mean: 18},
		Goal{Name: "+5 %, CV 10 %", Scenario: of(0.1, 0.25, 0.05)},
		Goal{Name: "+2 %, CV 1 %, threshold 2 %", Scenario: threshold, Found: 0.99, Mean: 13},
		Goal{Name: "layouts of 2 % a build, rotated, CV 1 %", Scenario: layouts(0.01, 0)},
		Goal{Name: "layouts of 2 % a build, rotated, CV 3 %", Scenario: layouts(0.03, 0)},
		Goal{Name: "the same, +5 %, CV 1 %", Scenario: layouts(0.01, 0.05), Found: 0.99},
		Goal{Name: "the same, +5 %, CV 3 %", Scenario: layouts(0.03, 0.05), Found: 0.9},
		Goal{Name: "second process of a pair 3 % slower, CV 1 %", Scenario: second(0)},
		Goal{Name: "the same, +5 %", Scenario: second(0.05), Found: 0.99},
		Goal{Name: "+5 %, CV 3 %, drift 0", Scenario: of(0.03, 0, 0.05)},
	)
	return out
}

// Failures lists the figures that miss their goal by the one-sided 95 % bound:
// certain is false where the goal must only not be excluded by the data, as is
// fit for few pull requests, and true where it must be shown to be reached.
func (g Goal) Failures(t *Tally, certain bool) []string {
	var out []string
	atMost := func(what string, x, n int, limit float64) {
		bound := figures.AtLeast(x, n)
		if certain {
			bound = figures.AtMost(x, n)
		}
		if bound > limit {
			out = append(out, fmt.Sprintf("%s: %d of %d, bound %.3f %%, at most %g %%", what, x, n, 100*bound, 100*limit))
		}
	}
	atMost("pull requests with a false regression", t.Alarms, t.PullRequests, mostAlarms)
	s := g.withDefaults()
	if s.Effect >= s.Threshold {
		atMost("called unchanged", t.Unchanged, t.PullRequests, mostUnchanged)
	}
	if g.Found > 0 {
		atMost("not found", t.PullRequests-t.Found, t.PullRequests, 1-g.Found)
	}
	atMost("intervals without the true shift", t.Estimated-t.Covered, t.Estimated, 1-leastCovered)
	// A mean of fewer estimates is not known to a tenth of the CV.
	if bias := math.Abs(t.Bias()); t.Estimated >= 100 && bias > mostBias*s.spread() {
		out = append(out, fmt.Sprintf("bias %.3f %% at a CV of %.1f %%", 100*bias, 100*s.spread()))
	}
	if g.Mean > 0 && t.MeanAll() > g.Mean {
		out = append(out, fmt.Sprintf("%.1f samples in the mean, at most %g", t.MeanAll(), g.Mean))
	}
	if t.MostSamples > s.Rounds {
		out = append(out, fmt.Sprintf("%d samples", t.MostSamples))
	}
	return out
}
