package compare

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"

	"github.com/perftrack/perftrack/compare/stat"
	"github.com/perftrack/perftrack/runner/record"
)

// A trial carries the procedure that decides it. One that an earlier perftrack measured
// keeps the verdict that it had, whatever decides new ones.

// NewProcedure decides the trials that are measured from now on.
const NewProcedure = stat.Pairs

// SetDecision notes on a run of a new trial how it is decided.
func SetDecision(r *record.Run) {
	r.Facts = r.Facts.Set(record.KeyDecision, string(NewProcedure))
}

// Decides reports whether the procedure of new trials decides that of the run.
func Decides(r *record.Run) bool {
	decision := stat.Procedure(r.Facts.Get(record.KeyDecision))
	return decision == NewProcedure
}

// DecisionName names a procedure that a run says decides it, for people. What it is called
// there may be anybody's words.
func DecisionName(decision string) string {
	if decision == string(stat.Blocks) {
		return "the procedure of the first version"
	}
	if !plainName.MatchString(decision) {
		return "a procedure of an odd name"
	}
	return "the procedure " + strconv.Quote(decision)
}

// plainName is all that a procedure may be called where it is shown to others.
var plainName = regexp.MustCompile(`^[a-z0-9-]{1,32}$`)

// findProcedures finds out by which procedure each trial is decided: by one that all of its
// runs name, or none.
func (c *Comparison) findProcedures() {
	decisions := map[string][]string{} // by trial
	for _, p := range c.pairings {
		for _, r := range slices.Concat(p.runs[base], p.runs[head]) {
			if d := r.Facts.Get(record.KeyDecision); p.Trial && !slices.Contains(decisions[r.Trial], d) {
				decisions[r.Trial] = append(decisions[r.Trial], d)
			}
		}
	}
	for _, p := range c.pairings {
		if !p.Trial {
			continue
		}
		trial := p.runs[head][0].Trial
		by := decisions[trial]
		p.procedure = stat.Procedure(by[0])
		switch {
		case len(by) > 1:
			p.undecidable = fmt.Sprintf("runs of trial %s are to be decided by different procedures, %s and %s", trial, DecisionName(by[0]), DecisionName(by[1]))
		case p.procedure == stat.Blocks && !p.calibrates():
			c.addCaveat(Caveat{CodeDecision, "decided by the procedure of the first version of perftrack, with the verdicts that it had; a new check decides by pairs of rounds", "trial " + trial})
		case p.procedure != stat.Blocks && !p.procedure.ByPairs():
			p.undecidable = fmt.Sprintf("trial %s is to be decided by %s, and this perftrack decides by %s: use the version that measured it", trial, DecisionName(by[0]), DecisionName(string(NewProcedure)))
		}
		if p.undecidable != "" {
			c.addCaveat(Caveat{Code: CodeDecision, Text: "no verdict: " + p.undecidable})
		}
	}
}

// ByPairs reports whether the pairs of its rounds decide the trial.
func (p *Pairing) ByPairs() bool { return p.Trial && p.procedure.ByPairs() }

// Undecidable says of which trials there is no verdict, because this perftrack does not know
// the procedure that decides them.
func (c *Comparison) Undecidable() (why []string) {
	for _, p := range c.pairings {
		if p.undecidable != "" && !slices.Contains(why, p.undecidable) {
			why = append(why, p.undecidable)
		}
	}
	return why
}
