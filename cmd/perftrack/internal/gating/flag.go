package gating

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/gates"
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
	if *f = Flag(value); *f != paired && f.Unpaired() == gates.NoUnpaired {
		return fmt.Errorf("use --gate, --gate=%s or --gate=%s", gates.UnpairedSuspect, gates.UnpairedBenchstat)
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

// Unpaired returns the gate for unpaired runs that the flag names, or [gates.NoUnpaired].
func (f Flag) Unpaired() gates.UnpairedRule {
	switch gate := gates.UnpairedRule(f); gate {
	case gates.UnpairedSuspect, gates.UnpairedBenchstat:
		return gate
	}
	return gates.NoUnpaired
}

// Exit returns the exit code of the gate as an error, or nil if the flag is not given or the gate
// passed.
func (f Flag) Exit(c *compare.Comparison, strict bool) error {
	if f == "" {
		return nil
	}
	return Of(c, gates.Options{Strict: strict, Unpaired: f.Unpaired()})
}

// Result returns the gate's result for c, or nil if the flag is not given.
func (f Flag) Result(c *compare.Comparison, strict bool) *gates.Gate {
	if f == "" {
		return nil
	}
	g := gates.Decide(c, gates.Options{Strict: strict, Unpaired: f.Unpaired()})
	return &g
}
