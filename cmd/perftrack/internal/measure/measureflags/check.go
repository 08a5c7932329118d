package measureflags

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/measure"
	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/naming"
	"github.com/perftrack/perftrack/runner/record"
)

// checkTrial returns an error if a flag for trials is given without --against.
func checkTrial(cmd *cobra.Command, _ Values) error {
	if !cmd.Flags().Changed("against") {
		return errors.New("--threshold and --alpha require --against, because a single run gets no verdict")
	}
	return nil
}

// checkPairs returns an error if the value of --pairs is unknown, or if the flag is given although
// only one side is measured.
func checkPairs(cmd *cobra.Command, v Values) error {
	if cmd.Name() == "run" && !cmd.Flags().Changed("against") && !cmd.Flags().Changed("anchor") {
		return errors.New("--pairs requires --against or --anchor, because a single run has only one side")
	}
	if !slices.Contains(measure.Pairs, v.Pairs) {
		return fmt.Errorf("--pairs %q is not %s", v.Pairs, strings.Join(measure.Pairs, " or "))
	}
	return nil
}

func checkBench(_ *cobra.Command, v Values) error {
	_, err := naming.ParsePattern(v.Bench)
	return err
}

// checkBenchtime returns an error for values that no test binary would accept.
func checkBenchtime(_ *cobra.Command, v Values) error {
	s := v.Benchtime
	if s == "" {
		return nil
	}
	var n int
	if _, err := fmt.Sscanf(s, "%dx", &n); err == nil && n > 0 && fmt.Sprintf("%dx", n) == s {
		return nil
	}
	if d, err := time.ParseDuration(s); err == nil && d > 0 {
		return nil
	}
	return fmt.Errorf("--benchtime %q is neither a duration such as 100ms nor a count such as 50x", s)
}

func checkRounds(least int) checkFlag {
	return func(_ *cobra.Command, v Values) error {
		if n := v.Rounds; n < least || n > record.MaxSamples {
			return fmt.Errorf("--rounds %d is not between %d and %d", n, least, record.MaxSamples)
		}
		return nil
	}
}

func checkTimeout(_ *cobra.Command, v Values) error {
	if v.Timeout < 0 {
		return fmt.Errorf("--timeout %v is negative", v.Timeout)
	}
	return nil
}

// CheckBudget returns an error if the budget is negative.
func CheckBudget(budget time.Duration) error {
	if budget < 0 {
		return fmt.Errorf("--budget %v is negative", budget)
	}
	return nil
}

// checkCPUs returns an error if the value is empty, as it is when a shell variable is not set.
// Further checks depend on the machine.
func checkCPUs(_ *cobra.Command, v Values) error {
	if v.CPUs == "" {
		return errors.New("--cpus is empty: is a variable unset?")
	}
	return nil
}

// checkProcs returns an error unless the value is a list of GOMAXPROCS values.
func checkProcs(_ *cobra.Command, v Values) error {
	if v.Procs == "" {
		return errors.New("--procs is empty: is a variable unset?")
	}
	_, err := config.ParseProcs(v.Procs)
	if err != nil {
		err = fmt.Errorf("--procs: %w", err)
	}
	return err
}
