package gating

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/perftrack/perftrack/compare"
)

// A Flag is the value of compare --gate: "" if the flag is not given, paired if it has no value, or
// else the name of a gate for unpaired runs.
type Flag string

const paired Flag = "paired"

// Add declares the flag.
func (f *Flag) Add(cmd *cobra.Command) {
	cmd.Flags().Var(f, "gate", "exit 1 if a benchmark regressed; with =unpaired or =benchstat also for unpaired runs")
	cmd.Flags().Lookup("gate").NoOptDefVal = string(paired)
}

// String returns the value.
func (f *Flag) String() string { return string(*f) }

// Type returns the placeholder for the value in the help text.
func (f *Flag) Type() string { return "what" }

// Set parses the value.
func (f *Flag) Set(value string) error {
	if *f = Flag(value); *f != paired && f.Unpaired() == compare.NoUnpairedGate {
		return fmt.Errorf("use --gate, --gate=%s or --gate=%s", compare.GateUnpaired, compare.GateBenchstat)
	}
	return nil
}

// Check returns an error if strict is set without the flag.
func (f Flag) Check(strict bool) error {
	if strict && f == "" {
		return errors.New("--strict requires --gate")
	}
	return nil
}

// Unpaired returns the gate for unpaired runs that the flag names, or [compare.NoUnpairedGate].
func (f Flag) Unpaired() compare.UnpairedGate {
	switch gate := compare.UnpairedGate(f); gate {
	case compare.GateUnpaired, compare.GateBenchstat:
		return gate
	}
	return compare.NoUnpairedGate
}

// Exit returns the exit code of the gate as an error, or nil if the flag is not given or the gate
// passed.
func (f Flag) Exit(c *compare.Comparison, strict bool) error {
	if f == "" {
		return nil
	}
	return Of(c, compare.GateOptions{Strict: strict, Unpaired: f.Unpaired()})
}

// Result returns the gate's result for c, or nil if the flag is not given.
func (f Flag) Result(c *compare.Comparison, strict bool) *compare.Gate {
	if f == "" {
		return nil
	}
	g := c.Gate(compare.GateOptions{Strict: strict, Unpaired: f.Unpaired()})
	return &g
}
