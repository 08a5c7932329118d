package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/perftrack/perftrack/cmd/perftrack/app"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/store"
)

func newProfileCommand(g *globals) *cobra.Command {
	opt := app.RunOptions{Profile: true}
	var out output
	cmd := &cobra.Command{
		Use:   "profile [SUITE]",
		Short: "Show where the time and the memory go",
		Long: `Run a suite once a round under the scope profiler of its program, store the
scopes by git commit, and print the hot paths, the top allocators, the most called
methods, the call hierarchy with total and self time, and what stands out. What is
printed is one round, that of the median run time, so that its figures add up.

The suites of the built-in inference engine are enhanced (the default), standard,
deep, memory and training. Any other program takes part by printing its scopes
where PERFTRACK_PROFILE is set, see docs/profile.md. Profiles are compared as
everything else is: perftrack compare BASE HEAD.
` + exitStatus,
		Example: `  perftrack profile                        the default suite
  perftrack profile deep                   down to the projections of each layer
  perftrack profile --format markdown standard > profile.md
  perftrack profile --rev HEAD~1 deep      an old revision, then perftrack compare HEAD~1 HEAD`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			a, err := g.app(cmd, out.check(g.term), checkRun(cmd, opt))
			if err != nil {
				return err
			}
			if len(args) == 1 {
				opt.Suite = args[0]
			}
			return profile(cmd.Context(), a, g.term, &out, opt)
		},
	}
	f := cmd.Flags()
	f.StringSliceVar(&opt.Targets, "target", nil, "profile this `target` (default as for run)")
	f.StringVar(&opt.Rev, "rev", "", "profile this `revision` instead of the work tree")
	f.StringVar(&opt.Against, "against", "", "profile interleaved with this `revision`, as a trial")
	f.IntVar(&opt.Rounds, "rounds", 0, "runs of the suite, beside the warm-up (default 5, of a trial 12)")
	f.DurationVar(&opt.Timeout, "timeout", 0, "longest time of one process (default 2m)")
	addCPUsFlag(cmd, &opt.CPUs)
	out.addFlag(cmd)
	return cmd
}

// profile measures the scopes and prints what there is of them, also when it was
// interrupted.
func profile(ctx context.Context, a *app.App, t *terminal, out *output, opt app.RunOptions) error {
	res, err := a.Run(ctx, opt)
	t.clearStatus()
	if len(res.Runs) > 0 {
		err = errors.Join(printProfile(context.WithoutCancel(ctx), a, t, out, res), err)
	}
	return err
}

// printProfile prints the profile of what was measured, or the comparison of a
// trial.
func printProfile(ctx context.Context, a *app.App, t *terminal, out *output, res app.RunResult) error {
	if res.Trial != "" {
		return printRuns(ctx, a, t, out, res)
	}
	var runs []*store.Run
	for _, r := range res.Runs {
		runs = append(runs, r.Run)
		t.notice(fmt.Sprintf("stored run %.12s: %s, %s", r.ID, r.Target, r.Status))
	}
	return out.print(t, reports.Profile(runs...))
}
