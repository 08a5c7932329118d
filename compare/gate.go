package compare

import (
	"slices"

	"github.com/perftrack/perftrack/runner/record"
)

// A Gate says whether the change may be merged. Only [Comparison.Gate] decides this; exit codes,
// commit statuses and reports merely express it.
type Gate struct {
	Result GateResult
	Cause  GateCause // why the gate does not pass
}

// A GateResult says whether a change may be merged.
type GateResult string

// The results of a gate.
const (
	Pass     GateResult = "pass"
	Fail     GateResult = "fail"      // the change is at fault
	NoResult GateResult = "no-result" // something was not judged, so nothing is known
)

// A GateCause says why a gate does not pass.
type GateCause string

// The causes. If several apply, the gate names the one that [Comparison.Gate] checks first.
const (
	CauseWorse       GateCause = "worse"       // something regressed or misses a limit
	CauseProcedure   GateCause = "undecidable" // only another version has the procedure that the trial needs
	CauseBroken      GateCause = "broken"      // a benchmark that works on base fails on head
	CauseUnbuilt     GateCause = "unbuilt"     // a package of head does not build
	CauseFailed      GateCause = "failed"      // nothing in a target was judged because one side failed
	CauseLost        GateCause = "lost"        // some parts of the benchmarks have no result
	CauseNothing     GateCause = "nothing"     // the sides have no comparable benchmark in common
	CauseInterrupted GateCause = "interrupted" // the measurement was stopped before its end
	CauseUnchecked   GateCause = "unchecked"   // some benchmarks have too few rounds
	CauseBlind       GateCause = "blind"       // unpaired runs have too few samples
	CauseUnpaired    GateCause = "unpaired"    // the runs are unpaired, and their rows do not count for the gate
	CauseGap         GateCause = "gap"         // strict gate: something is undecided, failed or missing, or a mean is uncertain
)

// GateOptions is the policy of the gate.
type GateOptions struct {
	Strict   bool         // also fail on undecided, failed or missing benchmarks and on uncertain means
	Unpaired UnpairedGate // how unpaired runs count
	// Accepted reports whether a regression or a missed limit is intended, in addition to those
	// marked by [Accepted.Explain]. It may be nil.
	Accepted func(*Row) bool
}

// Intended reports whether the row's change is accepted. Accepting a change also accepts the
// correlated rows that only reflect it.
func (o GateOptions) Intended(r *Row) bool {
	return r.Accepted() || o.Accepted != nil && (o.Accepted(r) || r.CorrelatedWith != nil && o.Accepted(r.CorrelatedWith))
}

// Misses reports whether a row's head misses a limit that its base met, and the miss counts for the
// gate and was not accepted.
func (o GateOptions) Misses(t *Table, r *Row, l RowLimit) bool {
	return (t.Trial || o.Unpaired != NoUnpairedGate) && l.Worse && l.Accepted == "" && (o.Accepted == nil || !o.Accepted(r))
}

// Gate decides whether the change may be merged. It never passes without a judged row, unless
// benchmarks were left out because they cannot have changed.
func (c *Comparison) Gate(o GateOptions) Gate {
	spared := len(c.Same)+len(c.Unreached) > 0
	switch {
	case c.worse(o):
		return Gate{Fail, CauseWorse}
	case o.Unpaired != NoUnpairedGate && c.blind(o.Unpaired):
		return Gate{NoResult, CauseBlind}
	case len(c.ForeignProcedures()) > 0:
		return Gate{NoResult, CauseProcedure}
	case len(c.BrokenByHead()) > 0:
		return Gate{Fail, CauseBroken}
	case len(c.Unbuilt()) > 0:
		return Gate{NoResult, CauseUnbuilt}
	case len(c.FailedTargets()) > 0:
		return Gate{NoResult, CauseFailed}
	case len(c.LostParts()) > 0:
		return Gate{NoResult, CauseLost}
	case c.NotChecked().Benchmarks > 0:
		return Gate{NoResult, CauseUnchecked}
	case c.Interrupted():
		return Gate{NoResult, CauseInterrupted}
	case !spared && (c.empty() || !c.Trial() && !c.anyCompared()):
		return Gate{NoResult, CauseNothing}
	case !c.Trial() && !spared && o.Unpaired == NoUnpairedGate:
		return Gate{NoResult, CauseUnpaired}
	case o.Strict && c.gap(o):
		return Gate{Fail, CauseGap}
	}
	return Gate{Result: Pass}
}

// empty reports whether neither side has samples and nothing explains why. Such a comparison must
// not pass, because the author of the trial could have left everything out. A comparison of only a
// part of the benchmarks may lack samples.
func (c *Comparison) empty() bool {
	part := func(r *record.Run) bool { return r.Protocol.Part != nil }
	return len(c.Tables)+len(c.Missing)+len(c.New)+len(c.Cut)+len(c.Rewritten) == 0 && !slices.ContainsFunc(c.Head.Runs, part)
}

func (c *Comparison) anyCompared() bool {
	for r := range c.Rows() {
		if r.Compared() {
			return true
		}
	}
	return false
}

func (c *Comparison) blind(gate UnpairedGate) bool {
	n, _ := c.BlindUnpaired(gate)
	return n > 0
}

// worse reports whether any benchmark regressed or misses a limit without having been accepted.
func (c *Comparison) worse(o GateOptions) bool {
	if slices.ContainsFunc(c.WorseUnpaired(o.Unpaired), func(r *Row) bool { return !o.Intended(r) }) {
		return true
	}
	for _, t := range c.Tables {
		for _, r := range t.Rows {
			if r.Verdict == Regressed && !o.Intended(r) {
				return true
			}
			if slices.ContainsFunc(r.Limits, func(l RowLimit) bool { return o.Misses(&t, r, l) }) {
				return true
			}
		}
	}
	return false
}

// gap reports whether anything is undecided or lost.
func (c *Comparison) gap(o GateOptions) bool {
	open := c.Undecided() + c.UndecidedLimits() + len(c.UnprovenMeans())
	if o.Unpaired == NoUnpairedGate {
		open += c.Count(Suspect)
	}
	return open > 0 || c.LostCoverage()
}

// Interrupted reports whether the newest measurement of any target was stopped before its end.
func (c *Comparison) Interrupted() bool {
	return slices.ContainsFunc(c.pairings, func(p *Pairing) bool {
		last := map[int]*record.Run{}
		for side, runs := range p.runs {
			for _, r := range runs {
				if last[side] == nil || !r.Start.Before(last[side].Start) {
					last[side] = r
				}
			}
		}
		return slices.ContainsFunc([]int{base, head}, func(side int) bool { return last[side] != nil && last[side].Status == record.Partial })
	})
}
