package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/comparison"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/reports"
	comparisonreport "github.com/perftrack/perftrack/reports/comparison"
)

func newCompareCommand(g *globals) *cobra.Command {
	var out output
	var gate, strict bool
	cmd := &cobra.Command{
		Use:   "compare [BASE [HEAD]]",
		Short: "Compare two commits, runs, trials or files",
		Long: `Compare what is stored, or files in the Go benchmark format. BASE and HEAD are
commits, branches, run ids or files; a trial id, or BASE..HEAD, stands for both.
Without HEAD it is the current commit. Without both, they are the commits of the
newest trial, or else the two newest commits that have runs.

delta and p are what benchstat prints for the same samples. Only paired runs, those
of one trial (check, run --against), get a verdict, corrected for the number of
benchmarks. Unpaired runs also differ by the state that the machine was in: they are
shown, and a change is at most called suspect. So --gate trips only on a trial;
with --strict it also trips where there is none. If two commits have several trials,
each is shown and decided by itself, and --gate trips on any of them.
` + gateStatus,
		Example: `  perftrack compare                     the newest trial
  perftrack compare main feature
  perftrack compare old.txt new.txt     like benchstat
  perftrack compare --gate HEAD~1 HEAD  exit 1 if anything regressed`,
		Args: cobra.MaximumNArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			a, err := g.start(cmd, out.check(g.term), checkGate(gate, strict))
			if err != nil {
				return err
			}
			c, err := comparison.Compare(cmd.Context(), a, args)
			if err != nil {
				return err
			}
			verdict := gateOn(c, gate, strict)
			if err := out.print(g.term, failing(comparisonreport.Report(c), verdict)); err != nil {
				return err
			}
			return verdict
		},
	}
	cmd.Flags().BoolVar(&gate, "gate", false, "exit 1 if a benchmark regressed")
	cmd.Flags().BoolVar(&strict, "strict", false, "with --gate: exit 3 if a benchmark is inconclusive, suspect, failed or missing")
	out.addFlag(cmd)
	return cmd
}

func checkGate(gate, strict bool) error {
	if strict && !gate {
		return errors.New("--strict goes with --gate")
	}
	return nil
}

// gateOn turns verdicts into an exit code. Unpaired runs have none, so
// gating on them is lost coverage: that they found nothing proves nothing.
func gateOn(c *compare.Comparison, gate, strict bool) error {
	switch {
	case !gate:
		return nil
	case c.Unaccepted() > 0:
		return gateError{exitRegression}
	}
	return gateStrict(c, strict)
}

// failing is the report whose JSON says what the command fails with.
func failing(r reports.Report, err error) reports.Report {
	var e *fault.Error
	if errors.As(err, &e) {
		return r.WithError(e.Kind, e.Error())
	}
	return r
}

// gateStrict is what is left to gate on where nothing regressed. What was not checked
// is never fine, strict or not.
func gateStrict(c *compare.Comparison, strict bool) error {
	unchecked := c.NotChecked()
	switch packages := c.Unbuilt(); {
	case len(packages) > 0:
		return fault.Build(fmt.Errorf("of head %s was not built: what it measures was not checked", strings.Join(packages, ", ")))
	case len(c.FailedTargets()) > 0:
		return fault.Build(fmt.Errorf("of head nothing of %s could be measured: it was not checked", strings.Join(c.FailedTargets(), ", ")))
	case unchecked.Benchmarks > 0:
		return fault.Budget(errors.New(unchecked.String()))
	case strict && (!c.Trial() && len(c.Same) == 0 || c.Undecided()+c.Count(compare.Suspect) > 0 || c.LostCoverage()):
		return gateError{exitInconclusive}
	}
	return nil
}
