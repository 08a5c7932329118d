package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/comparison"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/console"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/helptext"
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
	var out console.Output
	var show string
	var view profile.View
	var generated measure.Generates
	cmd := &cobra.Command{
		Use:   "profile [SUITE | --bench RE | --diff BASE [HEAD]]",
		Short: "Profile time and memory",
		Long: `Show where the time and the memory of a program go.

With --bench, each benchmark of a Go package runs under the CPU profiler, and once more to
count allocations. With SUITE, the scopes that the program prints are stored by commit and
shown as a call tree; the engine's suites are enhanced, standard, deep, memory and
training. --show prints a stored profile again.
` + exitStatus,
		Example: `  perftrack profile --bench Sort           the functions of benchmarks
  perftrack profile --bench Sort --html flames
  perftrack profile --bench Sort --diff v1.4.0 main
  perftrack profile deep                   a suite of scopes, here of the engine
  perftrack profile deep --prompt 100 --tokens 200 --model 6x384
  perftrack profile --format markdown standard > profile.md
  perftrack profile --show HEAD~1          a stored profile again`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			a, err := g.start(cmd, out.Check(g.term), helptext.RefuseEmpty(cmd, "against", "rev", "diff", "html"), generated.Check(args, show), checkShow(cmd, args), checkFunctions(cmd, args), checkTop(cmd, view))
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
				opt.Flags.Suite = generated.In(args[0])
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
	f.StringVar(&show, "show", "", "print the stored profile of this `run`, commit or trial, and measure nothing")
	f.IntVar(&generated.Prompt, "prompt", 0, "use a prompt of `n` tokens in the engine's suites standard and deep")
	f.IntVar(&generated.Tokens, "tokens", 0, "generate `n` tokens in these suites")
	f.StringVar(&generated.Model, "model", "", "`model` of these suites: small, medium, or layers and width such as 6x384")
	f.IntVar(&view.Top, "top", 0, "show the first `n` entries in each ranking (default 15 hot paths, otherwise 10)")
	f.BoolVar(&view.All, "all", false, "show all methods or functions, and the whole call tree")
	of.addFlags(cmd)
	out.AddFlag(cmd)
	return cmd
}

// checkTop returns an error if --top is less than 1 or is combined with --all.
func checkTop(cmd *cobra.Command, view profile.View) error {
	f := cmd.Flags()
	switch {
	case f.Changed("top") && view.Top < 1:
		return fmt.Errorf("--top %d is invalid: use 1 or more", view.Top)
	case f.Changed("top") && view.All:
		return errors.New("--top and --all cannot be combined")
	}
	return nil
}

// measureProfile measures scopes and prints the results, even after an interruption.
func measureProfile(ctx context.Context, a *workspace.Session, t *console.Console, out *console.Output, opt measure.Options, view profile.View) error {
	res, err := measure.Run(ctx, a, opt)
	t.ClearStatus()
	if len(res.Runs) > 0 {
		err = errors.Join(printProfile(context.WithoutCancel(ctx), a, t, out, res, view, err), err)
	}
	return err
}

// compareProfiles compares each run with the newest stored profile of the base branch, if there is
// one.
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

// printProfile prints the measured profiles or, for a trial, the comparison of its two sides.
func printProfile(ctx context.Context, a *workspace.Session, t *console.Console, out *console.Output, res measure.Result, view profile.View, failed error) error {
	if res.Trial != "" {
		_, err := printRuns(ctx, a, t, out, res, failed, false, false)
		return err
	}
	var runs []*record.Run
	for _, r := range res.Runs {
		runs = append(runs, r.Run)
		t.Notice(fmt.Sprintf("stored run %s: %s, %s", record.ShortHash(r.ID), r.Target, r.Status))
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
	return out.PrintFailing(t, console.Always(r), failed)
}
