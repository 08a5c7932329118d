// Package gates decides whether a change may be merged, for trials and optionally for unpaired
// runs.
//
// Begin with gate.go. unpaired.go judges unpaired runs as benchstat does.
package gates

import (
	"slices"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/runner/record"
)

// A Gate is the decision whether the change may be merged. Only [Decide] makes it; exit codes,
// commit statuses and reports show it.
type Gate struct {
	Result Result
	Cause  Cause // why the gate does not pass
}

// A Result is the outcome of a gate.
type Result string

// The results of a gate.
const (
	Pass     Result = "pass"
	Fail     Result = "fail"      // the change is at fault
	NoResult Result = "no-result" // something was not judged, so nothing is known
)

// A Cause is the reason why a gate does not pass.
type Cause string

// The causes. If several apply, the gate names the one that [Decide] checks first.
const (
	CauseWorse       Cause = "worse"       // something regressed or misses a limit
	CauseProcedure   Cause = "undecidable" // only another version has the procedure that the trial needs
	CauseBroken      Cause = "broken"      // a benchmark that works on base fails on head
	CauseUnbuilt     Cause = "unbuilt"     // a package of head does not build
	CauseFailed      Cause = "failed"      // nothing in a target was judged because one side failed
	CauseLost        Cause = "lost"        // some parts of the benchmarks have no result
	CauseNothing     Cause = "nothing"     // the sides have no comparable benchmark in common
	CauseInterrupted Cause = "interrupted" // the measurement was stopped before its end
	CauseUnchecked   Cause = "unchecked"   // some benchmarks have too few rounds
	CauseBlind       Cause = "blind"       // unpaired runs have too few samples
	CauseUnpaired    Cause = "unpaired"    // the runs are unpaired, and their rows do not count for the gate
	CauseGap         Cause = "gap"         // strict gate: something is undecided, failed or missing, or a mean is uncertain
)

// Options is the policy of the gate.
type Options struct {
	Strict   bool         // also fail on undecided, failed or missing benchmarks and on uncertain means
	Unpaired UnpairedRule // how unpaired runs count
	// Accepted reports whether a regression or a missed limit is intended, in addition to those
	// marked by [acceptance.List.Explain]. It may be nil.
	Accepted func(*compare.Row) bool
}

// Intended reports whether the row's change is accepted. Accepting a change also accepts the
// correlated rows that only reflect it.
func (o Options) Intended(r *compare.Row) bool {
	return r.Accepted() || o.Accepted != nil && (o.Accepted(r) || r.CorrelatedWith != nil && o.Accepted(r.CorrelatedWith))
}

// Misses reports whether a row's head misses a limit that its base met, and the miss counts for the
// gate and was not accepted.
func (o Options) Misses(t *compare.Table, r *compare.Row, l compare.RowLimit) bool {
	return (t.Trial || o.Unpaired != NoUnpaired) && l.Worse && l.Accepted == "" && (o.Accepted == nil || !o.Accepted(r))
}

// Decide reports whether the change may be merged. It never passes without a judged row, unless
// benchmarks were left out because they cannot have changed.
func Decide(c *compare.Comparison, o Options) Gate {
	spared := len(c.Same)+len(c.Unreached) > 0
	switch {
	case worse(c, o):
		return Gate{Fail, CauseWorse}
	case o.Unpaired != NoUnpaired && blind(c, o.Unpaired):
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
	case !spared && (empty(c) || !c.Trial() && !anyCompared(c)):
		return Gate{NoResult, CauseNothing}
	case !c.Trial() && !spared && o.Unpaired == NoUnpaired:
		return Gate{NoResult, CauseUnpaired}
	case o.Strict && gap(c, o):
		return Gate{Fail, CauseGap}
	}
	return Gate{Result: Pass}
}

// empty reports whether neither side has samples and nothing explains why. Such a comparison must
// not pass, because the author of the trial could have left everything out. A comparison in which
// only a part of the benchmarks was to be measured may lack samples.
func empty(c *compare.Comparison) bool {
	part := func(r *record.Run) bool { return r.Protocol.Part != nil }
	return len(c.Tables)+len(c.Missing)+len(c.New)+len(c.Cut)+len(c.Rewritten) == 0 && !slices.ContainsFunc(c.Head.Runs, part)
}

func anyCompared(c *compare.Comparison) bool {
	for r := range c.Rows() {
		if r.HasDelta() {
			return true
		}
	}
	return false
}

func blind(c *compare.Comparison, gate UnpairedRule) bool {
	n, _ := BlindUnpaired(c, gate)
	return n > 0
}

// worse reports whether any benchmark regressed or misses a limit without having been accepted.
func worse(c *compare.Comparison, o Options) bool {
	if slices.ContainsFunc(WorseUnpaired(c, o.Unpaired), func(r *compare.Row) bool { return !o.Intended(r) }) {
		return true
	}
	for _, t := range c.Tables {
		for _, r := range t.Rows {
			if r.Verdict == compare.Regressed && !o.Intended(r) {
				return true
			}
			if slices.ContainsFunc(r.Limits, func(l compare.RowLimit) bool { return o.Misses(&t, r, l) }) {
				return true
			}
		}
	}
	return false
}

// gap reports whether anything is undecided or lost.
func gap(c *compare.Comparison, o Options) bool {
	open := c.Undecided() + c.UndecidedLimits() + len(c.UnprovenMeans())
	if o.Unpaired == NoUnpaired {
		open += c.Count(compare.Suspect)
	}
	return open > 0 || c.LostCoverage()
}
