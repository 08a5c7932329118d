package compare

import (
	"fmt"
	"slices"

	"github.com/perftrack/perftrack/compare/pairs"
)

// findForeign finds the trials whose runs name another procedure or several procedures. A
// calibration needs no procedure, because its verdicts are dropped.
func (c *Comparison) findForeign() {
	decisions := map[string][]string{} // the procedures named, by trial
	for _, p := range c.pairings {
		for _, r := range slices.Concat(p.Runs[base], p.Runs[head]) {
			if d := r.Protocol.Decision; p.Trial && !slices.Contains(decisions[r.Trial], d) {
				decisions[r.Trial] = append(decisions[r.Trial], d)
			}
		}
	}
	for _, p := range c.pairings {
		if !p.Trial || p.Calibrates() {
			continue
		}
		trial := p.Runs[head][0].Trial
		switch by := decisions[trial]; {
		case len(by) > 1:
			p.Foreign = fmt.Sprintf("the runs of trial %s ask for different decision procedures, %s and %s", trial, pairs.DecisionName(by[0]), pairs.DecisionName(by[1]))
		case by[0] != pairs.Decision:
			p.Foreign = fmt.Sprintf("trial %s must be decided by %s, but this version of perftrack uses %s: measure again, or use the version that measured it", trial, pairs.DecisionName(by[0]), pairs.DecisionName(pairs.Decision))
		}
		if p.Foreign != "" {
			c.addCaveat(Caveat{Code: CodeDecision, Text: "no verdict: " + p.Foreign})
		}
	}
}

// ForeignProcedures describes the trials without a verdict because this version of perftrack cannot
// decide them.
func (c *Comparison) ForeignProcedures() (why []string) {
	for _, p := range c.pairings {
		if p.Foreign != "" && !slices.Contains(why, p.Foreign) {
			why = append(why, p.Foreign)
		}
	}
	return why
}
