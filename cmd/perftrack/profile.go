package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/comparison"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/history"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/measure"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/reports/profile"
	"github.com/perftrack/perftrack/runner"
	"github.com/perftrack/perftrack/runner/record"
)

func newProfileCommand(g *globals) *cobra.Command {
	opt := measure.Options{Profile: true}
	var of functionOptions
	var out output
	var show string
	var view profile.View
	var generated generates
	cmd := &cobra.Command{
		Use:   "profile [SUITE | --bench RE | --diff BASE [HEAD]]",
		Short: "Show where the time and the memory go",
		Long: `Show where the time and the memory of a program go: the hot paths, the top
allocators, and the call hierarchy with total and own time.

Of scopes it also shows how fast models and kernels are and what stands out, such as a
call that took far longer than the others; --top and --all say how much is listed of either.

Of a target of Go packages, with --bench or where it prints no scopes of its own, it
is the functions: each benchmark runs by itself under the CPU profiler, and once more to
count allocations. With --diff BASE [HEAD] two commits are profiled side by side. The
profiles of commits are kept beside the database, for go tool pprof and for the site;
--html also draws their flame graphs. Nothing of it becomes a point of the history.

With SUITE, and of programs that print their scopes, it is the scopes: the suite runs
once a round, its scopes are stored by git commit, and the round of the median run time is
shown, so that its figures add up. Below it stands what changed since the newest stored
profile of the base branch, and what to do, with the gain that each allows. The suites of the built-in inference engine are
enhanced (the default), standard, deep, memory and training. Standard and deep generate with a model:
--prompt, --tokens and --model change how much and with which, as a suite of its own. perftrack help profile says how a
program of your own prints scopes. They are compared by perftrack compare BASE HEAD.

With --show nothing is measured: what is stored of a run, a commit or a trial is printed,
also what was imported. Of a commit that is each suite as it was measured last, and with
--bench, or where there are no scopes, the functions of its benchmarks.
` + exitStatus,
		Example: `  perftrack profile --bench Sort           the functions of benchmarks
  perftrack profile --bench Sort --html flames
  perftrack profile --bench Sort --diff v1.4.0 main
  perftrack profile deep                   a suite of scopes, here of the engine
  perftrack profile --top 5 deep
  perftrack profile deep --prompt 100 --tokens 200 --model 6x384
  perftrack profile --all --show HEAD      every method of the suite
  perftrack profile --format markdown standard > profile.md
  perftrack profile --rev HEAD~1 deep      an old revision, to compare with
  perftrack profile --show HEAD~1          that profile again`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			a, err := g.start(cmd, out.check(g.term), refuseEmpty(cmd, "against", "rev", "diff", "html"), generated.check(args, show), checkShow(cmd, args), checkFunctions(cmd, args), checkTop(cmd, view))
			if err != nil {
				return err
			}
			if show != "" {
				return showProfile(cmd.Context(), a, g.term, &out, show, g.flags.Bench, view)
			}
			opt.Flags = g.flags
			if asksForFunctions(cmd) {
				return profileFunctions(cmd.Context(), a, g.term, &out, of.options(opt, args), of.html, view)
			}
			if len(args) == 1 {
				opt.Flags.Suite = generated.in(args[0])
			}
			err = measureProfile(cmd.Context(), a, g.term, &out, opt, view)
			var none *runner.NoScopesError
			if errors.As(err, &none) && len(args) == 0 && opt.Against == "" {
				return insteadOfScopes(cmd.Context(), a, g.term, &out, of.options(opt, nil), view, none, err)
			}
			return err
		},
	}
	f := cmd.Flags()
	f.StringSliceVar(&opt.Targets, "target", nil, "profile this `target` (default as for run)")
	f.StringVar(&opt.Rev, "rev", "", "profile this `revision` instead of the work tree")
	f.StringVar(&opt.Against, "against", "", "profile scopes interleaved with this `revision`, as a trial")
	f.StringVar(&show, "show", "", "print what is stored of this `run`, commit or trial, and measure nothing")
	f.IntVar(&generated.prompt, "prompt", 0, "tokens of the prompt, `n`, of the engine's suites standard and deep")
	f.IntVar(&generated.tokens, "tokens", 0, "generate `n` tokens there")
	f.StringVar(&generated.model, "model", "", "generate there with this `model`: small, medium, or its layers and width such as 6x384")
	f.IntVar(&view.Top, "top", 0, "show the first `n` of each ranking (default 15 hot paths, 10 of the others)")
	f.BoolVar(&view.All, "all", false, "show all methods or functions, and the whole call tree")
	of.addFlags(cmd)
	out.addFlag(cmd)
	return cmd
}

// checkTop refuses a ranking of no rows, and two lengths of one.
func checkTop(cmd *cobra.Command, view profile.View) error {
	f := cmd.Flags()
	switch {
	case f.Changed("top") && view.Top < 1:
		return fmt.Errorf("--top %d is no number of rows", view.Top)
	case f.Changed("top") && view.All:
		return errors.New("--top does not go with --all")
	}
	return nil
}

// measureProfile measures the scopes and prints what there is of them, also when it was
// interrupted.
func measureProfile(ctx context.Context, a *workspace.Session, t *terminal, out *output, opt measure.Options, view profile.View) error {
	res, err := measure.Run(ctx, a, opt)
	t.clearStatus()
	if len(res.Runs) > 0 {
		err = errors.Join(printProfile(context.WithoutCancel(ctx), a, t, out, res, view, err), err)
	}
	return err
}

// compareProfiles compares each run with the newest stored profile of the base branch.
func compareProfiles(ctx context.Context, a *workspace.Session, runs []*record.Run) (all []profile.Against, err error) {
	for _, run := range runs {
		one := profile.Against{Head: run}
		if one.Base, one.Words, err = history.BaseProfile(ctx, a, run); err != nil {
			return nil, err
		}
		if one.Base != nil {
			if one.Compared, err = comparison.Compare(ctx, a, []string{one.Base.ID, run.ID()}); err != nil {
				return nil, err
			}
		}
		all = append(all, one)
	}
	return all, nil
}

// printProfile prints the profile of what was measured, or the comparison of a
// trial.
func printProfile(ctx context.Context, a *workspace.Session, t *terminal, out *output, res measure.Result, view profile.View, failed error) error {
	if res.Trial != "" {
		_, err := printRuns(ctx, a, t, out, res, failed, false, false)
		return err
	}
	var runs []*record.Run
	for _, r := range res.Runs {
		runs = append(runs, r.Run)
		t.notice(fmt.Sprintf("stored run %s: %s, %s", record.ShortHash(r.ID), r.Target, r.Status))
	}
	r := view.Report(runs...)
	profile.AddLimits(&r, res.Limits, runs)
	if failed == nil {
		against, err := compareProfiles(ctx, a, runs)
		if err != nil {
			return err
		}
		profile.AddAgainst(&r, runs, against)
	}
	return out.printFailing(t, always(r), failed)
}
