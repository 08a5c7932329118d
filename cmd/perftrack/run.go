package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/comparison"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/console"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/gating"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/helptext"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/listing"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/measure"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/profiling"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/viewing"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/compare/anchors"
	"github.com/perftrack/perftrack/compare/gates"
	"github.com/perftrack/perftrack/reports/profile"
	"github.com/perftrack/perftrack/reports/runs"
	"github.com/perftrack/perftrack/runner"
	"github.com/perftrack/perftrack/runner/record"
)

func newRunCommand(g *globals) *cobra.Command {
	var opt measure.Options
	var out console.Output
	var profileToo, gate, strict bool
	cmd := &cobra.Command{
		Use:   "run [TARGET...]",
		Short: "Measure benchmarks and store the samples by commit",
		Long: `Measure the benchmarks in this directory, store every sample by git commit and print the
result.

A TARGET is a target in perftrack.toml or a Go package pattern. Without one, run measures
all targets in the file, or else the benchmarks in the Go module.

Only --against REV gives a verdict: it measures two revisions in pairs, as one trial. With
--gate, run also exits 1 if a limit in perftrack.toml is missed. Ctrl-C stores the samples
so far as a partial run.
` + gateStatus,
		Example: `  perftrack run                          the benchmarks here
  perftrack run --quick                  a few short rounds
  perftrack run --bench MatMul engine    some benchmarks of one target
  perftrack run ./parse                  one package
  perftrack run --against HEAD~1         is the last commit slower?
  perftrack run --gate                   are the limits in perftrack.toml met?
  perftrack run --rev v1.4.0             measure an old revision`,
		RunE: func(cmd *cobra.Command, args []string) error {
			a, err := g.start(cmd, out.Check(g.term), checkRun(cmd, opt, gate, strict), checkProfileToo(profileToo, out.Files))
			if err != nil {
				return err
			}
			if gate && opt.Against == "" {
				where, err := a.Locate(cmd.Context())
				if err == nil {
					err = gating.NeedLimits(where.Config.Limits())
				}
				if err != nil {
					return err
				}
			}
			opt.Targets, opt.Flags = args, g.flags
			var verdict error
			res, err := measure.Run(cmd.Context(), a, opt)
			g.term.ClearStatus()
			if len(res.Runs) > 0 {
				// Print the results so far, even after an interruption.
				var printed error
				verdict, printed = printRuns(context.WithoutCancel(cmd.Context()), a, g.term, &out, res, err, gate, strict)
				err = errors.Join(printed, err)
			} else {
				g.term.NoteNothing(cmd.Context())
			}
			if err != nil || !profileToo {
				return cmp.Or(err, verdict)
			}
			if opt.Flags.Bench != "" {
				g.term.Notice("the profile covers the whole suite, because --bench does not apply to it")
			}
			opt.Profile, opt.Flags.Rounds, opt.Anchor = true, 0, ""
			return cmp.Or(profileAfterwards(cmd.Context(), a, g.term, &out, opt), verdict)
		},
	}
	f := cmd.Flags()
	f.StringVar(&opt.Against, "against", "", "measure this `revision`, too, as a trial")
	f.StringVar(&opt.Anchor, "anchor", "", "measure this baseline `revision`, too, for history --anchor")
	f.StringVar(&opt.Rev, "rev", "", "measure this `revision` instead of the work tree")
	f.BoolVar(&profileToo, "profile", false, "then profile, like perftrack profile")
	f.BoolVar(&gate, "gate", false, "exit 1 if a limit is missed, or with --against if anything regressed")
	f.BoolVar(&strict, "strict", false, "with --gate: exit 3 if a limit is undecided or matches nothing, or a verdict is inconclusive")
	f.BoolVar(&opt.Quick, "quick", false, "6 rounds of 20ms, 10 in a trial")
	out.AddFlagForCI(cmd)
	return cmd
}

// profileAfterwards profiles the measured targets. A target without scopes is not an error: its
// functions are profiled instead, if it has any.
func profileAfterwards(ctx context.Context, a *workspace.Session, t *console.Console, out *console.Output, opt measure.Options) error {
	err := measureProfile(ctx, a, t, out, opt, profile.View{})
	var none *runner.NoScopesError
	ok := errors.As(err, &none)
	switch {
	case !ok:
		return err
	case opt.Against != "":
		t.Notice(fmt.Sprintf("target %s prints no scopes: to profile its functions, run perftrack profile --diff %s", none.Target, opt.Against))
		return nil
	}
	flags := measure.Flags{Bench: opt.Flags.Bench, CPUs: opt.Flags.CPUs, Timeout: opt.Flags.Timeout}
	if err = insteadOfScopes(ctx, a, t, out, profiling.Options{Targets: opt.Targets, Rev: opt.Rev, Flags: flags}, profile.View{}, none, err); errors.Is(err, none) {
		t.Notice(err.Error())
		return nil
	}
	return err
}

func checkRun(cmd *cobra.Command, opt measure.Options, gate, strict bool) error {
	if strict && !gate {
		return errors.New("--strict requires --gate")
	}
	if opt.Against != "" && opt.Anchor != "" {
		return errors.New("--anchor and --against cannot be combined, because a run has only one other revision")
	}
	return helptext.RefuseEmpty(cmd, "against", "anchor", "rev")
}

// checkProfileToo returns an error if --profile is given together with an --output format for a
// single report.
func checkProfileToo(profileToo bool, files []string) error {
	for _, f := range files {
		if profileToo && (strings.HasPrefix(f, "json=") || strings.HasPrefix(f, "csv=")) {
			return fmt.Errorf("--output %s holds one report, but --profile creates a second one: run perftrack profile --output %s afterwards", f, f)
		}
	}
	return nil
}

// printRuns prints the comparison of a trial, or the runs if there is no trial. failed is the
// measurement's error, and the returned verdict is the gate's result.
func printRuns(ctx context.Context, a *workspace.Session, t *console.Console, out *console.Output, res measure.Result, failed error, gate, strict bool) (verdict, err error) {
	measured := make([]*record.Run, len(res.Runs))
	for i, r := range res.Runs {
		measured[i] = r.Run
		t.Notice(fmt.Sprintf("stored run %s: %s, %s%s", record.ShortHash(r.ID), r.Target, r.Status, sideText(r.Run)))
	}
	if res.Trial == "" {
		if gate {
			verdict = gating.Limits(res.Limits, measured, strict)
		}
		return verdict, out.PrintFailing(t, console.Always(runs.Report(res.Limits, measured...)), failed)
	}
	c, err := comparison.CompareTrial(ctx, a, measured)
	switch {
	case err != nil:
		return nil, err
	case gate && slices.ContainsFunc(measured, anchors.Is): // an anchor is not a base to judge against, so check only the limits of the run
		verdict = gating.Limits(res.Limits, measured, strict)
	case gate:
		verdict = gating.Trial(c, strict)
	}
	view := (&viewing.Flags{}).View(ctx, a, c)
	if gate && !slices.ContainsFunc(measured, anchors.Is) {
		says := gates.Decide(c, gates.Options{Strict: strict})
		view.Gate = &says
	}
	return verdict, out.PrintFailing(t, console.Always(gating.Failing(view.Report(c), verdict)), failed)
}

func sideText(r *record.Run) string {
	if r.Side == record.NoSide {
		return ""
	}
	return fmt.Sprintf(", %s of trial %s", listing.SideName(r), r.Trial)
}
