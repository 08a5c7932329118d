package main

import (
	"context"
	"errors"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/comparison"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/console"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/gating"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/viewing"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/reports"
	comparisonreport "github.com/perftrack/perftrack/reports/comparison"
)

// collectAt is the value of GOGC while compare runs. Most of the memory holds samples, without
// pointers, so collecting garbage is cheap; with the default value, the garbage would take as much
// memory as the samples.
const collectAt = 30

func newCompareCommand(g *globals) *cobra.Command {
	var out console.Output
	var gate gating.Flag
	var view viewing.Flags
	var strict bool
	cmd := &cobra.Command{
		Use:   "compare [BASE [HEAD]...]",
		Short: "Compare two commits, runs, trials or files",
		Long: `Show the changes between two commits, runs, trials or files, the verdict first.

Without HEAD, compare takes the current commit; without both, the newest trial. Several
HEADs are columns beside BASE. Only the two sides of a trial (check, run --against) get
a verdict; other runs are shown as in benchstat, and their changes are at most suspect.
` + gateStatus,
		Example: `  perftrack compare                     the newest trial
  perftrack compare main feature
  perftrack compare old.txt new.txt     like benchstat
  perftrack compare v1.0 v1.1 v1.2      a column for each
  perftrack compare --bench '^Sort/' --unit ns/op --all
  perftrack compare --gate HEAD~1 HEAD  exit 1 if anything regressed`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			defer debug.SetGCPercent(debug.SetGCPercent(collectAt))
			a, err := g.start(cmd, out.Check(g.term), gate.Check(strict), view.Check(out.Format))
			if err != nil {
				return err
			}
			if len(args) > 2 {
				return compareColumns(cmd.Context(), a, g.term, &out, args, &view, func(c *compare.Comparison) error { return gate.Exit(c, strict) })
			}
			c, err := comparison.Compare(cmd.Context(), a, args)
			if err != nil {
				return err
			}
			if err := view.MissedBy(c); err != nil {
				return err
			}
			verdict := gate.Exit(c, strict)
			shown := view.View(cmd.Context(), a, c)
			shown.Gate = gate.Result(c, strict)
			report := func(string) reports.Report {
				r := gating.Failing(shown.Report(c), verdict)
				r.Outcomes = func() []reports.Outcome { return comparisonreport.Outcomes(c, gate.Unpaired()) }
				return r
			}
			if err := out.PrintEach(g.term, report); err != nil {
				return err
			}
			return verdict
		},
	}
	gate.Add(cmd)
	cmd.Flags().BoolVar(&strict, "strict", false, "with --gate: exit 3 if a benchmark is inconclusive, suspect, failed or missing")
	view.Add(cmd, false)
	out.AddFlagForCI(cmd)
	return cmd
}

// compareColumns compares several heads with one base and returns the worst of their gate results.
func compareColumns(ctx context.Context, a *workspace.Session, t *console.Console, out *console.Output, args []string, view *viewing.Flags, gate func(*compare.Comparison) error) error {
	for _, file := range out.Files {
		if !strings.HasPrefix(file, "text=") && !strings.HasPrefix(file, "markdown=") {
			return fault.Usagef("--output %s holds a comparison of two sides: compare %s with each of the others separately", file, args[0])
		}
	}
	if out.Format == "json" || out.Format == "csv" {
		return fault.Usagef("--format %s shows a comparison of two sides: compare %s with each of the others separately", out.Format, args[0])
	}
	var all []*compare.Comparison
	var verdict error
	for _, head := range args[1:] {
		c, err := comparison.Compare(ctx, a, []string{args[0], head})
		if err != nil {
			return err
		}
		all = append(all, c)
		if err := gate(c); err != nil && (verdict == nil || errors.Is(err, console.GateError{Code: console.ExitRegression}) || errors.Is(verdict, console.GateError{Code: console.ExitInconclusive})) {
			verdict = err
		}
	}
	if err := view.MissedBy(all...); err != nil {
		return err
	}
	if err := out.Print(t, view.View(ctx, a, all...).Columns(all...)); err != nil {
		return err
	}
	return verdict
}
