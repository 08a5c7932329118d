package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/gating"
	"github.com/perftrack/perftrack/compare"
)

// A gateFlag is the value of compare --gate: "" if the flag is not given, gatePaired if it has no
// value, or else the name of a gate for unpaired runs.
type gateFlag string

const gatePaired gateFlag = "paired"

func (f *gateFlag) addFlag(cmd *cobra.Command) {
	cmd.Flags().Var(f, "gate", "exit 1 if a benchmark regressed; with =unpaired or =benchstat also for unpaired runs")
	cmd.Flags().Lookup("gate").NoOptDefVal = string(gatePaired)
}

func (f *gateFlag) String() string { return string(*f) }

// Type returns the placeholder for the value in the help text.
func (f *gateFlag) Type() string { return "what" }

func (f *gateFlag) Set(value string) error {
	if *f = gateFlag(value); *f != gatePaired && f.unpaired() == compare.NoUnpairedGate {
		return fmt.Errorf("use --gate, --gate=%s or --gate=%s", compare.GateUnpaired, compare.GateBenchstat)
	}
	return nil
}

func (f gateFlag) check(strict bool) error {
	if strict && f == "" {
		return errors.New("--strict requires --gate")
	}
	return nil
}

// unpaired returns the gate for unpaired runs that the flag names, or [compare.NoUnpairedGate].
func (f gateFlag) unpaired() compare.UnpairedGate {
	switch gate := compare.UnpairedGate(f); gate {
	case compare.GateUnpaired, compare.GateBenchstat:
		return gate
	}
	return compare.NoUnpairedGate
}

// on returns the exit code of the gate as an error, or nil if the flag is not given or the gate
// passed.
func (f gateFlag) on(c *compare.Comparison, strict bool) error {
	if f == "" {
		return nil
	}
	return gating.Of(c, compare.GateOptions{Strict: strict, Unpaired: f.unpaired()})
}

// says returns the gate's result for c, or nil if the flag is not given.
func (f gateFlag) says(c *compare.Comparison, strict bool) *compare.Gate {
	if f == "" {
		return nil
	}
	g := c.Gate(compare.GateOptions{Strict: strict, Unpaired: f.unpaired()})
	return &g
}
