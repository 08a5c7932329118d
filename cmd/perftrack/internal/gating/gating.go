// Package gating turns the gate of a comparison, or of limits, into a command's error and exit
// code.
package gating

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/console"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/helptext"
	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/gates"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/runner/limit"
	"github.com/perftrack/perftrack/runner/record"
)

// Trial returns an error with the exit code for a comparison of trials, or nil if the exit code is
// 0.
func Trial(c *compare.Comparison, strict bool) error {
	return Of(c, gates.Options{Strict: strict})
}

// Of returns an error with the exit code for a comparison, or nil if the exit code is 0. Unpaired
// runs have no verdict, so a strict gate treats them as lost coverage.
func Of(c *compare.Comparison, opt gates.Options) error {
	switch g := gates.Decide(c, opt); g.Cause {
	case gates.CauseWorse:
		return console.GateError{Code: console.ExitRegression}
	case gates.CauseGap:
		return console.GateError{Code: console.ExitInconclusive}
	case gates.CauseUnpaired:
		if opt.Strict {
			return console.GateError{Code: console.ExitInconclusive}
		}
		return nil
	default:
		return withoutResult(c, g.Cause, opt.Unpaired)
	}
}

// NeedLimits returns an error if there are no limits to gate on.
func NeedLimits(all limit.List) error {
	if len(all) == 0 {
		return &helptext.Error{Err: errors.New(`--gate without --against checks limits, but perftrack.toml has none: add one to a rule, such as limit = "<= 100 ms", or measure with --against REV`), Command: "perftrack run"}
	}
	return nil
}

// Limits returns an error with the exit code for limits, or nil if the exit code is 0. It is an
// error if a limit has too few samples, because such a limit was not checked.
func Limits(limits compare.Limits, runs []*record.Run, strict bool) error {
	all, _, unmatched := limits.Of(runs...)
	missed := func(l compare.RunLimit) bool { return l.State == limit.Missed }
	undecided := func(l compare.RunLimit) bool { return l.State == limit.Undecided }
	blind, rounds := 0, 0 // number of limits with too few samples, and the rounds they need
	for _, l := range all {
		if undecided(l) && l.Needs > 0 {
			blind, rounds = blind+1, max(rounds, l.Needs)
		}
	}
	switch {
	case slices.ContainsFunc(all, missed):
		return console.GateError{Code: console.ExitRegression}
	case blind == 1:
		return fault.Data(fmt.Errorf("too few samples to tell whether 1 limit is met: use at least %d rounds", rounds))
	case blind > 1:
		return fault.Data(fmt.Errorf("too few samples to tell whether %d limits are met: use at least %d rounds", blind, rounds))
	case strict && (unmatched || slices.ContainsFunc(all, undecided)):
		return console.GateError{Code: console.ExitInconclusive}
	}
	return nil
}

// Failing adds the command's error to a report, for JSON output.
func Failing(r reports.Report, err error) reports.Report {
	var e *fault.Error
	if errors.As(err, &e) {
		return r.WithError(e.Kind, e.Error())
	}
	return r
}

// withoutResult returns the error for a comparison without a result, with or without --strict.
func withoutResult(c *compare.Comparison, cause gates.Cause, unpaired gates.UnpairedRule) error {
	switch cause {
	case gates.CauseBlind:
		blind, samples := gates.BlindUnpaired(c, unpaired)
		text := fmt.Sprintf("%d benchmarks have too few samples to be flagged, however much slower they became", blind)
		if blind == 1 {
			text = "1 benchmark has too few samples to be flagged, however much slower it became"
		}
		text = fmt.Sprintf("%s: use at least %d per side", text, samples)
		for r := range c.Rows() {
			if r.Summarized() {
				text += "; a summary has none"
				break
			}
		}
		return fault.Data(errors.New(text))
	case gates.CauseProcedure:
		return fault.Data(errors.New(strings.Join(c.ForeignProcedures(), "; ")))
	case gates.CauseBroken:
		var names []string
		for _, f := range c.BrokenByHead() {
			names = append(names, f.Benchmark)
		}
		return fault.Build(fmt.Errorf("%s failed on head but not on base", fault.SomeOf(names, ", ")))
	case gates.CauseUnbuilt:
		return fault.Build(fmt.Errorf("%s does not build on head: its benchmarks were not checked", strings.Join(c.Unbuilt(), ", ")))
	case gates.CauseFailed:
		return fault.Build(errors.New(describeFailed(c.FailedTargets())))
	case gates.CauseLost:
		return fault.Data(errors.New(compare.DescribeLost(c.LostParts())))
	case gates.CauseUnchecked:
		return fault.Budget(errors.New(c.NotChecked().String()))
	case gates.CauseInterrupted:
		return fault.Data(errors.New("the measurement was interrupted: the result is incomplete"))
	case gates.CauseNothing:
		return fault.Data(errors.New("nothing could be compared: the sides have no benchmark in common, or were measured in different environments"))
	}
	return nil
}

// describeFailed lists the targets for which nothing could be compared, grouped by the side that
// failed.
func describeFailed(targets []compare.FailedTarget) string {
	var parts []string
	for _, of := range []struct {
		side        record.Side
		where, then string
	}{
		{record.Head, "on head", "it was not checked"},
		{record.Base, "on base", "there is nothing to compare head with"},
		{"", "on either side", "it was not checked"},
	} {
		var names []string
		for _, t := range targets {
			if t.Side == of.side {
				names = append(names, t.Target)
			}
		}
		if len(names) > 0 {
			parts = append(parts, fmt.Sprintf("nothing in %s could be measured %s: %s", strings.Join(names, ", "), of.where, of.then))
		}
	}
	return strings.Join(parts, "; ")
}
