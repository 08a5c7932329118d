package bisections

import (
	"fmt"
	"io"
	"slices"

	"github.com/perftrack/perftrack/compare/evaluation/figures"
	"github.com/perftrack/perftrack/compare/evaluation/noise"
)

// headline is the scenario for the goals.
var headline = Scenario{CV: 0.03, Effect: 0.05, Drift: 0.25}

// Table writes the results of all bisectors on n lines of the headline scenario and on n/4 lines of
// each other scenario. git_bayesect is slow and gets at most bayesect lines of each scenario.
func Table(w io.Writer, n, bayesect int, seed uint64) {
	fmt.Fprint(w, "| 64 commits | bisector | lines | right | wrong | skipped | refused | pairs mean / p95 | builds | pairs of the ends |\n")
	fmt.Fprint(w, "|---|---|--:|--:|--:|--:|--:|--:|--:|--:|\n")
	for i, s := range []struct {
		name string
		Scenario
	}{
		{"+5 %, CV 3 %", headline},
		{"+5 %, CV 3 %, no drift", Scenario{CV: 0.03, Effect: 0.05}},
		{"+5 %, CV 1 %", Scenario{CV: 0.01, Effect: 0.05, Drift: 0.25}},
		{"+5 %, CV 3 %, commits differ by 0.5 %", Scenario{CV: 0.03, Effect: 0.05, Drift: 0.25, LayoutCV: 0.005}},
		{"+5 %, CV 3 %, heavy tails", Scenario{Family: noise.Heavy, CV: 0.03, Effect: 0.05, Drift: 0.25}},
		{"+5 %, CV 3 %, skewed", Scenario{Family: noise.Skewed, CV: 0.03, Effect: 0.05, Drift: 0.25}},
	} {
		for _, b := range Bisectors() {
			lines := n
			if i > 0 {
				lines = max(1, n/4)
			}
			if b.Name == GitBayesect.Name {
				lines = min(lines, bayesect)
			}
			t := Run(s.Scenario, lines, seed, b)[0]
			fmt.Fprintf(w, "| %s | %s | %d | %s (>= %s) | %s | %s | %s | %.1f / %d | %.1f | %.1f |\n", s.name, t.Name, lines,
				t.share(t.Right), percentOf(figures.AtLeast(t.Right, lines)), t.share(t.Wrong), t.share(t.Skipped), t.share(t.Refused),
				t.MeanPairs(), t.quantile(0.95), t.MeanBuilds(), t.mean(t.Ends))
		}
	}
}

func (t *Tally) share(n int) string { return percentOf(t.mean(n)) }

func percentOf(p float64) string { return fmt.Sprintf("%.1f %%", 100*p) }

// quantile returns the quantile q of the number of pairs in a search.
func (t *Tally) quantile(q float64) int {
	sorted := slices.Sorted(slices.Values(t.pairs))
	return sorted[min(int(q*float64(len(sorted))), len(sorted)-1)]
}
