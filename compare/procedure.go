package compare

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"

	"github.com/perftrack/perftrack/runner/record"
)

// Procedure is the name of the rules that decide trials. They decide by pairs of rounds, using both
// the typical slice and the mean of all slices. A trial stores this name so that no version of
// perftrack judges it by rules that it was not measured for.
const Procedure = "typical-and-mean"

// SetDecision records in a run of a new trial how the trial is to be decided.
func SetDecision(r *record.Run) {
	r.Protocol.Decision = Procedure
}

// Decides reports whether this version of perftrack can decide the trial of a run.
func Decides(r *record.Run) bool { return r.Protocol.Decision == Procedure }

// DecisionName describes a run's decision procedure for people. The name comes from the run and is
// untrusted, so an unusual name is not repeated.
func DecisionName(decision string) string {
	switch {
	case decision == "":
		return "an early version's procedure"
	case !plainName.MatchString(decision):
		return "a procedure with an unusual name"
	}
	return "procedure " + strconv.Quote(decision)
}

// plainName matches procedure names safe to show.
var plainName = regexp.MustCompile(`^[a-z0-9-]{1,32}$`)

// findForeign finds the trials whose runs name another procedure or several procedures. A
// calibration needs no procedure, because its verdicts are dropped.
func (c *Comparison) findForeign() {
	decisions := map[string][]string{} // the procedures named, by trial
	for _, p := range c.pairings {
		for _, r := range slices.Concat(p.runs[base], p.runs[head]) {
			if d := r.Protocol.Decision; p.Trial && !slices.Contains(decisions[r.Trial], d) {
				decisions[r.Trial] = append(decisions[r.Trial], d)
			}
		}
	}
	for _, p := range c.pairings {
		if !p.Trial || p.calibrates() {
			continue
		}
		trial := p.runs[head][0].Trial
		switch by := decisions[trial]; {
		case len(by) > 1:
			p.foreign = fmt.Sprintf("the runs of trial %s ask for different decision procedures, %s and %s", trial, DecisionName(by[0]), DecisionName(by[1]))
		case by[0] != Procedure:
			p.foreign = fmt.Sprintf("trial %s must be decided by %s, but this version of perftrack uses %s: measure again, or use the version that measured it", trial, DecisionName(by[0]), DecisionName(Procedure))
		}
		if p.foreign != "" {
			c.addCaveat(Caveat{Code: CodeDecision, Text: "no verdict: " + p.foreign})
		}
	}
}

// ForeignProcedures describes the trials without a verdict because this version of perftrack cannot
// decide them.
func (c *Comparison) ForeignProcedures() (why []string) {
	for _, p := range c.pairings {
		if p.foreign != "" && !slices.Contains(why, p.foreign) {
			why = append(why, p.foreign)
		}
	}
	return why
}
