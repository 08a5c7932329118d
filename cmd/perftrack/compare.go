package main

import (
	"context"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/comparison"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/reports"
	comparisonreport "github.com/perftrack/perftrack/reports/comparison"
)

func newCompareCommand(g *globals) *cobra.Command {
	var out output
	var gate gateFlag
	var view viewFlags
	var strict bool
	cmd := &cobra.Command{
		Use:   "compare [BASE [HEAD]...]",
		Short: "Compare two commits, runs, trials or files",
		Long: `Show what changed between two commits, runs or files, the verdict first.

BASE and HEAD are commits, branches, run ids or files in the Go benchmark format; a
trial id, or BASE..HEAD, stands for both. Without HEAD it is the current commit. Without
both, they are the commits of the newest trial that is no step of a bisection, or else
the two commits that were measured last, the older one as base. With more than one HEAD each is a column, compared
with BASE by itself.

Of more than a dozen rows those that did not change are counted by unit; --all shows
them. --changed, --bench and --unit narrow what is shown and --sort orders it, and
never change a verdict or the exit status, which count all that was measured.

Only paired runs, those of one trial (check, run --against), get a verdict, corrected
for the number of benchmarks: they show the change of a typical round with its interval,
and behind it the medians. Unpaired runs are shown as benchstat does. They also differ
by the state that the machine was in, so a change is at most called suspect, and --gate
trips only on a trial; with --strict it also trips where there is none. If two commits
have several trials, each is shown and decided by itself, and --gate trips on any of
them. --gate=unpaired trips also on what is suspect for the worse among runs or files
that were measured apart, and --gate=benchstat on whatever benchstat shows there as
worse. Their p takes the noise between two runs for a change: perftrack help verdicts
says how often.
` + gateStatus,
		Example: `  perftrack compare                     the newest trial
  perftrack compare main feature
  perftrack compare old.txt new.txt     like benchstat
  perftrack compare v1.0 v1.1 v1.2      a column for each
  perftrack compare --changed --sort change main
  perftrack compare --bench '^Sort/' --unit ns/op --all
  perftrack compare --gate HEAD~1 HEAD  exit 1 if anything regressed
  perftrack compare --gate=unpaired old.txt new.txt`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			a, err := g.start(cmd, out.check(g.term), gate.check(strict), view.check(out.format))
			if err != nil {
				return err
			}
			if len(args) > 2 {
				return compareColumns(cmd.Context(), a, g.term, &out, args, &view, func(c *compare.Comparison) error { return gate.on(c, strict) })
			}
			c, err := comparison.Compare(cmd.Context(), a, args)
			if err != nil {
				return err
			}
			if err := view.missedBy(c); err != nil {
				return err
			}
			verdict := gate.on(c, strict)
			shown := view.view(cmd.Context(), a, c)
			shown.Gate = gate.says(c, strict)
			r := failing(shown.Report(c), verdict)
			r.Outcomes = func() []reports.Outcome { return comparisonreport.Outcomes(c, gate.apart()) }
			if err := out.print(g.term, r); err != nil {
				return err
			}
			return verdict
		},
	}
	gate.addFlag(cmd)
	cmd.Flags().BoolVar(&strict, "strict", false, "with --gate: exit 3 if a benchmark is inconclusive, suspect, failed or missing")
	view.addFlags(cmd, false)
	out.addFlagForCI(cmd)
	return cmd
}

// compareColumns compares several sides with the first one, and ends with the worst that the
// gate says of any.
func compareColumns(ctx context.Context, a *workspace.Session, t *terminal, out *output, args []string, view *viewFlags, gate func(*compare.Comparison) error) error {
	for _, file := range out.files {
		if !strings.HasPrefix(file, "text=") && !strings.HasPrefix(file, "markdown=") {
			return fault.Usagef("--output %s holds the comparison of two sides: compare %s with each other one by itself", file, args[0])
		}
	}
	if out.format == "json" || out.format == "csv" {
		return fault.Usagef("--format %s has the comparison of two sides: compare %s with each other one by itself", out.format, args[0])
	}
	var all []*compare.Comparison
	var verdict error
	for _, head := range args[1:] {
		c, err := comparison.Compare(ctx, a, []string{args[0], head})
		if err != nil {
			return err
		}
		all = append(all, c)
		if err := gate(c); err != nil && (verdict == nil || errors.Is(err, gateError{exitRegression}) || errors.Is(verdict, gateError{exitInconclusive})) {
			verdict = err
		}
	}
	if err := view.missedBy(all...); err != nil {
		return err
	}
	if err := out.print(t, view.view(ctx, a, all...).Columns(all...)); err != nil {
		return err
	}
	return verdict
}
