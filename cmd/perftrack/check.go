package main

import (
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/perftrack/perftrack/cmd/perftrack/app"
	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/runner"
)

func newCheckCommand(g *globals) *cobra.Command {
	var opt app.CheckOptions
	var out output
	var strict bool
	cmd := &cobra.Command{
		Use:   "check [TARGET...]",
		Short: "Decide whether a change made anything slower: the CI step",
		Long: `Build base and head and measure them side by side, round by round, until each
benchmark is decided: regressed, improved, unchanged, or, when the budget is
spent, inconclusive with the number of rounds it would need. The chance that a
change which slows nothing down is called regressed anywhere is at most alpha (1 %
unless perftrack.toml of the base says otherwise), however many benchmarks there
are and however often the check is repeated.

The base is the merge base with the default branch, unless --base names another;
the head is the work tree, unless --head names a revision. Both are checked out
into throw-away worktrees; your work tree is not touched. A benchmark is decided
after 10, 15, 20, 30 or 40 rounds. A second check of the same two commits goes on
with the trial of the first, at a price that is part of alpha.

Exit status: 0 nothing regressed; 1 something regressed; 2 anything that went
wrong; 3 inconclusive or lost coverage (only with --strict); 130 interrupted.`,
		Example: `  perftrack check                       this branch against where it left main
  perftrack check --base HEAD~1         did the last commit slow anything down?
  perftrack check --base v1.4.0 --head v1.5.0
  perftrack check --budget 5m --strict  in CI: undecided fails, too`,
		RunE: func(cmd *cobra.Command, args []string) error {
			a, err := g.app(cmd, out.check(g.term), checkCheck(cmd, opt))
			if err != nil {
				return err
			}
			opt.Targets = args
			res, err := a.Check(cmd.Context(), opt)
			g.term.clearStatus()
			if res.Comparison != nil && len(res.Comparison.Tables)+len(res.Comparison.Same) > 0 {
				// Interrupted, the user still sees what there is.
				err = errors.Join(printCheck(g.term, &out, res), announce(g.term, res.Comparison, strict), err)
			}
			if err != nil {
				return err
			}
			if open, _ := res.Accepted.Regressions(res.Comparison); len(open) == 0 && res.Comparison.Count(compare.Regressed) > 0 {
				g.term.notice("every regression was accepted: see perftrack accept --list")
				return gateStrict(res.Comparison, strict)
			}
			return gateOn(res.Comparison, true, strict)
		},
	}
	f := cmd.Flags()
	f.StringVar(&opt.Base, "base", "", "compare with this `revision` (default the merge base with the default branch)")
	f.StringVar(&opt.Head, "head", "", "check this `revision` (default the work tree)")
	f.DurationVar(&opt.Budget, "budget", 10*time.Minute, "longest time of the whole check; 0 is no limit")
	f.BoolVar(&strict, "strict", false, "exit 3 if a benchmark is inconclusive, failed or missing")
	f.StringVar(&opt.Bench, "bench", "", "only benchmarks matching this `regexp`, as for go test -bench")
	f.StringVar(&opt.Suite, "suite", "", "only benchmarks of this `suite`")
	f.StringVar(&opt.Benchtime, "benchtime", "", "time or iterations a sample, `d` as for go test: 100ms, 50x (default 100ms)")
	f.DurationVar(&opt.Timeout, "timeout", 0, "longest time of one process (default 2m)")
	addCPUsFlag(cmd, &opt.CPUs)
	out.addFlag(cmd)
	return cmd
}

func checkCheck(cmd *cobra.Command, opt app.CheckOptions) error {
	for _, name := range []string{"base", "head"} {
		if f := cmd.Flags().Lookup(name); f.Changed && f.Value.String() == "" {
			return fmt.Errorf("--%s is empty: is a variable not set?", name)
		}
	}
	if opt.Timeout < 0 {
		return fmt.Errorf("--timeout %v is negative", opt.Timeout)
	}
	if opt.Budget < 0 {
		return fmt.Errorf("--budget %v is negative", opt.Budget)
	}
	return errors.Join(runner.CheckPattern(opt.Bench), checkBenchtime(opt.Benchtime), checkCPUs(cmd))
}

func printCheck(t *terminal, out *output, res app.CheckResult) error {
	for _, r := range res.Runs {
		t.notice(fmt.Sprintf("stored run %.12s: %s, %s%s", r.ID, r.Target, r.Status, sideText(r.Run)))
	}
	if res.InProcesses > 0 {
		t.notice(fmt.Sprintf("took %v, %.0f %% of it in benchmark processes", res.Took.Round(time.Second), 100*res.InProcesses.Seconds()/res.Took.Seconds()))
	}
	return out.print(t, reports.Comparison(res.Comparison))
}
