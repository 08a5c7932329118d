package histories

import (
	"fmt"
	"io"
	"math/rand/v2"

	"github.com/perftrack/perftrack/compare/evaluation/figures"
)

// These are the goals of the step finder: the number of false steps in 100 commits, and the share
// of 5 % steps found within 5 commits, with noise of 1 % and 3 % outliers.
const (
	mostFalsePer100 = 0.1
	leastStepsFound = 0.95
)

// Scenarios returns the histories in the published table. The goals apply to the first one.
func Scenarios() []Scenario {
	noise := func(name string, f func(r *rand.Rand) func() float64, sd, outliers float64) Scenario {
		return Scenario{Name: name, Noise: f, SD: sd, Outliers: outliers}
	}
	return []Scenario{
		noise("1 %, 3 % outliers", White, 0.01, 0.03),
		noise("1 %", White, 0.01, 0),
		noise("1 %, correlated (0.7), 3 % outliers", Correlated(0.7), 0.01, 0.03),
		noise("2 %, correlated (0.7), 3 % outliers", Correlated(0.7), 0.02, 0.03),
		noise("3 %", White, 0.03, 0),
		noise("1 % gamma, 3 % outliers", SkewedHistory, 0.01, 0.03),
		noise("1 % t3, 3 % outliers", HeavyHistory, 0.01, 0.03),
	}
}

// quiet returns a scenario of histories with n commits and no step.
func (s Scenario) quiet(n int) Scenario {
	s.Before, s.After, s.Effect = n, 0, 0
	return s
}

// stepped returns a scenario of histories with 100 commits followed by slower ones.
func (s Scenario) stepped(effect float64, after int) Scenario {
	s.Before, s.After, s.Effect = 100, after, effect
	return s
}

// drifting returns a scenario of histories with n commits that become slower gradually or, if
// stairs is not 0, in that many equal steps.
func (s Scenario) drifting(total float64, n, stairs int) Scenario {
	s.Before, s.After, s.Effect, s.Drift, s.Stairs = n, 0, 0, total, stairs
	return s
}

// DriftTable writes how often drifts and steps are confused: the share of histories for which a
// drift is shown and, for drifting histories, also the share for which a step is shown.
func DriftTable(w io.Writer, n int, seed uint64) {
	fmt.Fprintf(w, "| noise of the history | nothing changed, 300 commits: a drift | +5 %% after 100 of 150: a drift | +3 %% three times in 300: a drift | +10 %% little by little over 300: a drift | a step | +5 %%: a drift | a step |\n|---|---|---|---|---|---|---|---|\n")
	for i, s := range Scenarios() {
		fmt.Fprintf(w, "| %s |", s.Name)
		for k, v := range []Scenario{s.quiet(300), s.stepped(0.05, 50), s.drifting(0.09, 300, 3), s.drifting(0.10, 300, 0), s.drifting(0.05, 300, 0)} {
			got := Run(v, n, seed+uint64(10*i+k)<<32, OurDrifts, OurSteps)
			fmt.Fprintf(w, " %s %% |", figures.Share(got[0].WithFalse+got[0].Found, n))
			if v.Drift != 0 && v.Stairs == 0 {
				fmt.Fprintf(w, " %s %% |", figures.Share(got[1].WithFalse, n))
			}
		}
		fmt.Fprintln(w)
	}
}

// StepTable writes the table of steps in docs/evaluation.md.
func StepTable(w io.Writer, n int, seed uint64) {
	rules := append([]Rule{OurSteps}, Peers()...)
	fmt.Fprintf(w, "| noise of the history | rule | false steps in 100 commits | histories of 150 commits with one | +5 %% found after 3 / 5 / 10 commits | +3 %% after 5 / 20 |\n|---|---|---|---|---|---|\n")
	for i, s := range Scenarios() {
		at := func(k int) uint64 { return seed + uint64(10*i+k)<<32 }
		quiet := Run(s.quiet(150), n, at(0), rules...)
		var found [5][]Tally
		for k, v := range []Scenario{s.stepped(0.05, 3), s.stepped(0.05, 5), s.stepped(0.05, 10), s.stepped(0.03, 5), s.stepped(0.03, 20)} {
			found[k] = Run(v, n, at(k+1), rules...)
		}
		for j, r := range rules {
			q := quiet[j]
			fmt.Fprintf(w, "| %s | %s | %.3f | %s %% (≤ %s) |", s.Name, r.Name, q.FalsePer100(), figures.Share(q.WithFalse, n), figures.Bound(figures.AtMost(q.WithFalse, n)))
			f := func(k int) int { return found[k][j].Found }
			fmt.Fprintf(w, " %s / %s (≥ %s) / %s %% | %s / %s %% |\n", figures.Share(f(0), n), figures.Share(f(1), n), figures.Bound(figures.AtLeast(f(1), n)), figures.Share(f(2), n), figures.Share(f(3), n), figures.Share(f(4), n))
		}
	}
}
