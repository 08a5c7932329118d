package compare

import (
	"slices"

	"github.com/perftrack/perftrack/runner/record"
)

// A Gate is what a comparison means for whoever decides whether to merge. It is decided by
// [Comparison.Gate] alone: exit codes, commit statuses and reports only word it.
type Gate struct {
	Result GateResult
	Cause  GateCause // why it does not pass
}

// A GateResult is whether a change may be merged.
type GateResult string

// The results.
const (
	Pass     GateResult = "pass"
	Fail     GateResult = "fail"      // the change is at fault
	NoResult GateResult = "no-result" // something of it was not judged, so nothing is known
)

// A GateCause is why a gate does not pass.
type GateCause string

// The causes, the first that applies.
const (
	CauseWorse       GateCause = "worse"       // something regressed, or misses a limit
	CauseUndecidable GateCause = "undecidable" // another version's procedure decides the trial
	CauseBroken      GateCause = "broken"      // a benchmark fails that works on base
	CauseUnbuilt     GateCause = "unbuilt"     // a package of head does not build
	CauseFailed      GateCause = "failed"      // nothing of a target was judged, because a side failed
	CauseLost        GateCause = "lost"        // a part of the benchmarks has no result
	CauseNothing     GateCause = "nothing"     // the sides have nothing in common that may be compared
	CauseInterrupted GateCause = "interrupted" // measuring ended before its end
	CauseUnchecked   GateCause = "unchecked"   // too few rounds for some benchmarks
	CauseBlind       GateCause = "blind"       // too few samples of runs measured apart
	CauseApart       GateCause = "apart"       // the sides were measured apart, of which nothing gates
	CauseGap         GateCause = "gap"         // something is undecided, failed or missing, or less is known of a mean than wanted, and the gate is strict
)

// GateOptions say what gates.
type GateOptions struct {
	Strict bool      // also what is undecided, failed or missing, and a mean of which too little is proven
	Apart  ApartGate // among runs measured apart
	// Accepted reports whether a regression, or a limit missed, is intended, beside those that
	// [Accepted.Explain] has marked. May be nil.
	Accepted func(*Row) bool
}

// accepted reports whether a change is intended. Whoever accepts a change accepts it in the rows
// that only show it, too.
func (o GateOptions) accepted(r *Row) bool {
	return r.Accepted() || o.Accepted != nil && (o.Accepted(r) || r.CorrelatedWith != nil && o.Accepted(r.CorrelatedWith))
}

// Gate decides whether what was compared may be merged. Nothing judged never passes.
func (c *Comparison) Gate(o GateOptions) Gate {
	spared := len(c.Same)+len(c.Unreached) > 0
	switch {
	case c.worse(o):
		return Gate{Fail, CauseWorse}
	case o.Apart != NoApartGate && c.blind(o.Apart):
		return Gate{NoResult, CauseBlind}
	case len(c.Undecidable()) > 0:
		return Gate{NoResult, CauseUndecidable}
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
	case !c.Trial() && !spared && o.Apart == NoApartGate:
		return Gate{NoResult, CauseApart}
	case o.Strict && c.gap(o):
		return Gate{Fail, CauseGap}
	}
	return Gate{Result: Pass}
}

// empty reports whether no side has a sample and nothing says why not: who wrote the trial could have left
// all of it out. A part of the benchmarks may have none.
func (c *Comparison) empty() bool {
	part := func(r *record.Run) bool { _, ok := PartOf(r); return ok }
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

func (c *Comparison) blind(gate ApartGate) bool {
	n, _ := c.BlindApart(gate)
	return n > 0
}

// worse reports whether something regressed that nobody accepted, or misses a limit.
func (c *Comparison) worse(o GateOptions) bool {
	if slices.ContainsFunc(c.WorseApart(o.Apart), func(r *Row) bool { return !o.accepted(r) }) {
		return true
	}
	for _, t := range c.Tables {
		for _, r := range t.Rows {
			if r.Verdict == Regressed && !o.accepted(r) {
				return true
			}
			missed := func(l RowLimit) bool { return l.Worse && l.Accepted == "" }
			if (t.Trial || o.Apart != NoApartGate) && slices.ContainsFunc(r.Limits, missed) && (o.Accepted == nil || !o.Accepted(r)) {
				return true
			}
		}
	}
	return false
}

// gap reports whether something is not decided, be it that it was lost.
func (c *Comparison) gap(o GateOptions) bool {
	open := c.Undecided() + c.UndecidedLimits() + len(c.UnprovenMeans())
	if o.Apart == NoApartGate {
		open += c.Count(Suspect)
	}
	return open > 0 || c.LostCoverage()
}

// Interrupted reports whether the newest measurement of a target was stopped before its end.
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
