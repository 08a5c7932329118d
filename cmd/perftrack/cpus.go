package main

import (
	"errors"

	"github.com/spf13/cobra"
)

// addCPUsFlag adds --cpus, which every command has that measures benchmarks.
func addCPUsFlag(cmd *cobra.Command, list *string) {
	cmd.Flags().StringVar(list, "cpus", "", "run benchmarks on these CPUs only, a `list` as for taskset: 1 or 2-3,6; all lifts what perftrack.toml says")
}

// checkCPUs refuses what a variable that is not set leaves; the rest depends on the
// machine.
func checkCPUs(cmd *cobra.Command) error {
	if f := cmd.Flags().Lookup("cpus"); f.Changed && f.Value.String() == "" {
		return errors.New("--cpus is empty: is a variable not set?")
	}
	return nil
}
