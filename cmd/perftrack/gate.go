package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/runner/limit"
	"github.com/perftrack/perftrack/runner/record"
)

// gateFlag is the flag --gate of compare: "" if it is not given, gatePaired if it has no value,
// or what else is to gate.
type gateFlag string

const gatePaired gateFlag = "paired"

func (f *gateFlag) addFlag(cmd *cobra.Command) {
	cmd.Flags().Var(f, "gate", "exit 1 if a benchmark regressed; unpaired or benchstat: also where nothing is paired")
	cmd.Flags().Lookup("gate").NoOptDefVal = string(gatePaired)
}

func (f *gateFlag) String() string { return string(*f) }

// Type names the value in the help.
func (f *gateFlag) Type() string { return "what" }

func (f *gateFlag) Set(value string) error {
	if *f = gateFlag(value); *f != gatePaired && f.apart() == compare.NoApartGate {
		return fmt.Errorf("give --gate alone, --gate=%s or --gate=%s", compare.GateUnpaired, compare.GateBenchstat)
	}
	return nil
}

func (f gateFlag) check(strict bool) error {
	if strict && f == "" {
		return errors.New("--strict goes with --gate")
	}
	return nil
}

// apart is what gates among runs that were measured apart.
func (f gateFlag) apart() compare.ApartGate {
	switch gate := compare.ApartGate(f); gate {
	case compare.GateUnpaired, compare.GateBenchstat:
		return gate
	}
	return compare.NoApartGate
}

// on turns the verdicts into an exit code.
func (f gateFlag) on(c *compare.Comparison, strict bool) error {
	if f == "" {
		return nil
	}
	return gate(c, compare.GateOptions{Strict: strict, Apart: f.apart()})
}

// says is what the flag makes of a comparison, nil where it is not given.
func (f gateFlag) says(c *compare.Comparison, strict bool) *compare.Gate {
	if f == "" {
		return nil
	}
	g := c.Gate(compare.GateOptions{Strict: strict, Apart: f.apart()})
	return &g
}

// gateOn turns the verdicts of trials into an exit code.
func gateOn(c *compare.Comparison, strict bool) error {
	return gate(c, compare.GateOptions{Strict: strict})
}

// gate words what a comparison means as an exit code. Runs measured apart have no verdict, so that
// gating on them is lost coverage: that they found nothing proves nothing.
func gate(c *compare.Comparison, opt compare.GateOptions) error {
	switch g := c.Gate(opt); g.Cause {
	case compare.CauseWorse:
		return gateError{exitRegression}
	case compare.CauseGap:
		return gateError{exitInconclusive}
	case compare.CauseApart:
		if opt.Strict {
			return gateError{exitInconclusive}
		}
		return nil
	default:
		return withoutResult(c, g.Cause, opt.Apart)
	}
}

// needLimits refuses a gate that nothing can trip.
func needLimits(all limit.List) error {
	if len(all) == 0 {
		return &usageError{errors.New(`--gate without --against is of limits, and perftrack.toml has none: give a rule one, such as limit = "<= 100 ms", or measure with --against REV`), "perftrack run"}
	}
	return nil
}

// gateLimits turns the limits of runs into an exit code. One that too few samples say nothing
// of was not checked.
func gateLimits(limits compare.Limits, runs []*record.Run, strict bool) error {
	all, _, unmatched := limits.Of(runs...)
	missed := func(l compare.RunLimit) bool { return l.State == limit.Missed }
	undecided := func(l compare.RunLimit) bool { return l.State == limit.Undecided }
	blind, rounds := 0, 0 // limits with too few samples, and how many it takes
	for _, l := range all {
		if undecided(l) && l.Needs > 0 {
			blind, rounds = blind+1, max(rounds, l.Needs)
		}
	}
	switch {
	case slices.ContainsFunc(all, missed):
		return gateError{exitRegression}
	case blind == 1:
		return fault.Data(fmt.Errorf("1 limit has too few samples to be met or missed: %d rounds would do", rounds))
	case blind > 1:
		return fault.Data(fmt.Errorf("%d limits have too few samples to be met or missed: %d rounds would do", blind, rounds))
	case strict && (unmatched || slices.ContainsFunc(all, undecided)):
		return gateError{exitInconclusive}
	}
	return nil
}

// failing is the report whose JSON says what the command fails with.
func failing(r reports.Report, err error) reports.Report {
	var e *fault.Error
	if errors.As(err, &e) {
		return r.WithError(e.Kind, e.Error())
	}
	return r
}

// withoutResult says why there is no result, or none that passes. What was not checked is never fine,
// strict or not.
func withoutResult(c *compare.Comparison, cause compare.GateCause, apart compare.ApartGate) error {
	switch cause {
	case compare.CauseBlind:
		blind, samples := c.BlindApart(apart)
		text := fmt.Sprintf("%d benchmarks have too few samples to be flagged, however much slower they became", blind)
		if blind == 1 {
			text = "1 benchmark has too few samples to be flagged, however much slower it became"
		}
		return fault.Data(fmt.Errorf("%s: %d a side would do", text, samples))
	case compare.CauseUndecidable:
		return fault.Data(errors.New(strings.Join(c.Undecidable(), "; ")))
	case compare.CauseBroken:
		var names []string
		for _, f := range c.BrokenByHead() {
			names = append(names, f.Benchmark)
		}
		return fault.Build(fmt.Errorf("on head %s failed, and not on base", fault.SomeOf(names, ", ")))
	case compare.CauseUnbuilt:
		return fault.Build(fmt.Errorf("of head %s was not built: what it measures was not checked", strings.Join(c.Unbuilt(), ", ")))
	case compare.CauseFailed:
		return fault.Build(errors.New(describeFailed(c.FailedTargets())))
	case compare.CauseLost:
		return fault.Data(errors.New(compare.DescribeLost(c.LostParts())))
	case compare.CauseUnchecked:
		return fault.Budget(errors.New(c.NotChecked().String()))
	case compare.CauseInterrupted:
		return fault.Data(errors.New("the measurement was interrupted: what it found until then is not all"))
	case compare.CauseNothing:
		return fault.Data(errors.New("nothing could be compared: the sides have no benchmark in common, or were measured in other environments"))
	}
	return nil
}

// describeFailed says of which targets nothing could be compared, by the side that failed.
func describeFailed(targets []compare.FailedTarget) string {
	var parts []string
	for _, of := range []struct {
		side        record.Side
		begin, then string
	}{
		{record.Head, "of head nothing", "it was not checked"},
		{record.Base, "of base nothing", "there is nothing to compare head with"},
		{"", "on neither side anything", "it was not checked"},
	} {
		var names []string
		for _, t := range targets {
			if t.Side == of.side {
				names = append(names, t.Target)
			}
		}
		if len(names) > 0 {
			parts = append(parts, fmt.Sprintf("%s of %s could be measured: %s", of.begin, strings.Join(names, ", "), of.then))
		}
	}
	return strings.Join(parts, "; ")
}
