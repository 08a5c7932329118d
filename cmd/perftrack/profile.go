package main

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/exchange"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/measure"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/reports/profile"
	"github.com/perftrack/perftrack/runner/record"
)

func newProfileCommand(g *globals) *cobra.Command {
	opt := measure.Options{Profile: true}
	var out output
	var show string
	cmd := &cobra.Command{
		Use:   "profile [SUITE]",
		Short: "Show where the time and the memory go",
		Long: `Run a suite once a round under the scope profiler of its program, store the
scopes by git commit, and print the hot paths, the top allocators, the most called
methods, the call hierarchy with total and self time, and what stands out. The
report shows one round, that of the median run time, so that its figures add up.

The suites of the built-in inference engine are enhanced (the default), standard,
deep, memory and training. A program of your own is profiled if it prints its scopes
when PERFTRACK_PROFILE is set: see docs/profile.md. Profiles are compared as
everything else is: perftrack compare BASE HEAD.

With --show nothing is measured: the stored profile of a run, a commit or a trial is
printed, also one that was imported.
` + exitStatus,
		Example: `  perftrack profile                        the default suite of the target here
  perftrack profile deep                   down to the projections of each layer
  perftrack profile --format markdown standard > profile.md
  perftrack profile --rev HEAD~1 deep      an old revision, then perftrack compare HEAD~1 HEAD
  perftrack profile --show HEAD~1          that profile again`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			a, err := g.start(cmd, out.check(g.term), refuseEmpty(cmd, "against", "rev"), checkShow(cmd, args))
			if err != nil {
				return err
			}
			if show != "" {
				return showProfile(cmd.Context(), a, g.term, &out, show)
			}
			opt.Flags = g.flags
			if len(args) == 1 {
				opt.Flags.Suite = args[0]
			}
			return measureProfile(cmd.Context(), a, g.term, &out, opt)
		},
	}
	f := cmd.Flags()
	f.StringSliceVar(&opt.Targets, "target", nil, "profile this `target` (default as for run)")
	f.StringVar(&opt.Rev, "rev", "", "profile this `revision` instead of the work tree")
	f.StringVar(&opt.Against, "against", "", "profile interleaved with this `revision`, as a trial")
	f.StringVar(&show, "show", "", "print the stored profile of this `run`, commit or trial, and measure nothing")
	out.addFlag(cmd)
	return cmd
}

// checkShow refuses beside --show what says how to measure.
func checkShow(cmd *cobra.Command, args []string) error {
	f := cmd.Flags()
	if !f.Changed("show") {
		return nil
	}
	if f.Lookup("show").Value.String() == "" {
		return errors.New("--show is empty: is a variable not set?")
	}
	if len(args) > 0 {
		return fmt.Errorf("--show prints what is stored: it takes no suite %s", args[0])
	}
	for _, name := range []string{"target", "rev", "against", "rounds", "timeout", "cpus"} {
		if f.Changed(name) {
			return fmt.Errorf("--show measures nothing: it takes no --%s", name)
		}
	}
	return nil
}

// showProfile prints the scopes that are stored of what the word means.
func showProfile(ctx context.Context, a *workspace.Session, t *terminal, out *output, word string) error {
	runs, err := exchange.SelectRuns(ctx, a, []string{word})
	if err != nil {
		return err
	}
	runs = slices.DeleteFunc(runs, func(r *record.Run) bool {
		return !slices.ContainsFunc(r.Benchmarks, func(b record.Benchmark) bool { return b.Kind == record.Scope })
	})
	if len(runs) == 0 {
		return fault.Data(fmt.Errorf("show profile of %s: only benchmarks are stored of it: perftrack profile --rev measures one", word))
	}
	return out.print(t, profile.Report(runs...))
}

// measureProfile measures the scopes and prints what there is of them, also when it was
// interrupted.
func measureProfile(ctx context.Context, a *workspace.Session, t *terminal, out *output, opt measure.Options) error {
	res, err := measure.Run(ctx, a, opt)
	t.clearStatus()
	if len(res.Runs) > 0 {
		err = errors.Join(printProfile(context.WithoutCancel(ctx), a, t, out, res, err), err)
	}
	return err
}

// printProfile prints the profile of what was measured, or the comparison of a
// trial.
func printProfile(ctx context.Context, a *workspace.Session, t *terminal, out *output, res measure.Result, failed error) error {
	if res.Trial != "" {
		_, err := printRuns(ctx, a, t, out, res, failed, false, false)
		return err
	}
	var runs []*record.Run
	for _, r := range res.Runs {
		runs = append(runs, r.Run)
		t.notice(fmt.Sprintf("stored run %s: %s, %s", record.ShortHash(r.ID), r.Target, r.Status))
	}
	return out.printFailing(t, always(profile.Report(runs...)), failed)
}
