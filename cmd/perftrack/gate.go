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
	switch {
	case f == "":
		return nil
	case f.apart() == compare.NoApartGate:
		return gateOn(c, strict)
	case c.Unaccepted() > 0 || len(c.WorseApart(f.apart())) > 0 || c.FailedLimits(true) > 0:
		return gateError{exitRegression}
	}
	if blind, samples := c.BlindApart(f.apart()); blind > 0 {
		text := fmt.Sprintf("%d benchmarks have too few samples to be flagged, however much slower they became", blind)
		if blind == 1 {
			text = "1 benchmark has too few samples to be flagged, however much slower it became"
		}
		return fault.Data(fmt.Errorf("%s: %d a side would do", text, samples))
	}
	if err := uncovered(c); err != nil {
		return err
	}
	if strict && (c.Undecided()+c.UndecidedLimits() > 0 || c.LostCoverage()) {
		return gateError{exitInconclusive}
	}
	return nil
}

// gateOn turns the verdicts of trials into an exit code. Unpaired runs have none, so gating on
// them is lost coverage: that they found nothing proves nothing.
func gateOn(c *compare.Comparison, strict bool) error {
	if c.Unaccepted() > 0 || c.FailedLimits(false) > 0 {
		return gateError{exitRegression}
	}
	if err := uncovered(c); err != nil {
		return err
	}
	if strict && (!c.Trial() && len(c.Same)+len(c.Unreached) == 0 || c.Undecided()+c.UndecidedLimits()+c.Count(compare.Suspect) > 0 || c.LostCoverage()) {
		return gateError{exitInconclusive}
	}
	return nil
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

// uncovered is what no gate passes where nothing regressed. What was not checked is never
// fine, strict or not.
func uncovered(c *compare.Comparison) error {
	unchecked, lost := c.NotChecked(), compare.DescribeLost(c.LostParts())
	switch packages := c.Unbuilt(); {
	case len(c.Undecidable()) > 0:
		return fault.Data(errors.New(strings.Join(c.Undecidable(), "; ")))
	case len(packages) > 0:
		return fault.Build(fmt.Errorf("of head %s was not built: what it measures was not checked", strings.Join(packages, ", ")))
	case len(c.FailedTargets()) > 0:
		return fault.Build(fmt.Errorf("of head nothing of %s could be measured: it was not checked", strings.Join(c.FailedTargets(), ", ")))
	case lost != "":
		return fault.Data(errors.New(lost))
	case unchecked.Benchmarks > 0:
		return fault.Budget(errors.New(unchecked.String()))
	}
	return nil
}
