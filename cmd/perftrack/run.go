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
	"github.com/perftrack/perftrack/cmd/perftrack/internal/measure"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/profiling"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/reports/profile"
	"github.com/perftrack/perftrack/reports/runs"
	"github.com/perftrack/perftrack/runner"
	"github.com/perftrack/perftrack/runner/record"
)

func newRunCommand(g *globals) *cobra.Command {
	var opt measure.Options
	var out output
	var profileToo, gate, strict bool
	cmd := &cobra.Command{
		Use:   "run [TARGET...]",
		Short: "Measure, store by commit, and print",
		Long: `Measure the benchmarks that are here, store every sample by git commit, and print the
result.

Without a TARGET, run takes the targets of perftrack.toml; where that names none,
the benchmarks of the modules that the go.work in the current directory uses, or
else of the Go module there. In an empty folder outside of a git repository it takes
the built-in inference engine, which perftrack run engine measures anywhere.
A TARGET may be a pattern of Go packages, such as ./parse or ./parse/...: then only
these packages are measured.

Each benchmark is sampled in rounds, every sample in a fresh process; Go test
binaries are relinked with another function layout each round.

With --against REV, both revisions are built and measured in pairs, as one trial:
only such runs give a verdict. The revision is checked out into a throw-away
worktree; your work tree is not touched.

With --anchor REV, a build of that revision, the baseline, such as the last release,
is measured in the same rounds. The run counts for its commit as any other, and what
the machine did to both that day cancels out of the ratio that perftrack history
--anchor REV shows. The baseline's own run is stored beside it and is no point of a
history.

With --profile, the target's scopes are recorded afterwards, as a run of their own,
and printed as a second report: see perftrack profile --help.

Where perftrack.toml sets limits, such as limit = "<= 100 ms" in a rule, each is met,
missed or undecided, by an interval of the median that errs at either end with a
chance of alpha. --gate exits 1 if one is missed, and 2 if one has too few samples to
tell or there is no limit at all; with --against it exits 1 if anything regressed or
head misses a limit that the other side meets.

On Ctrl-C what was measured is stored as a partial run. If a benchmark fails, or
a package or a target does not build, the others are measured and stored, and run
exits 2.
` + gateStatus,
		Example: `  perftrack run                          what is here
  perftrack run --quick                  a few short rounds, to have a look
  perftrack run --bench MatMul engine    some benchmarks of one target
  perftrack run ./parse                  one package
  perftrack run --against HEAD~1         is the last commit slower?
  perftrack run --gate                   is every limit of perftrack.toml met?
  perftrack run --rev v1.4.0             measure an old revision
  perftrack run --anchor v1.4.0          beside v1.4.0, for history --anchor`,
		RunE: func(cmd *cobra.Command, args []string) error {
			a, err := g.start(cmd, out.check(g.term), checkRun(cmd, opt, gate, strict), checkProfileToo(profileToo, out.files))
			if err != nil {
				return err
			}
			if gate && opt.Against == "" {
				where, err := a.Locate(cmd.Context())
				if err == nil {
					err = needLimits(where.Config.Limits())
				}
				if err != nil {
					return err
				}
			}
			opt.Targets, opt.Flags = args, g.flags
			var verdict error
			res, err := measure.Run(cmd.Context(), a, opt)
			g.term.clearStatus()
			if len(res.Runs) > 0 {
				// Interrupted, the user still sees what there is.
				var printed error
				verdict, printed = printRuns(context.WithoutCancel(cmd.Context()), a, g.term, &out, res, err, gate, strict)
				err = errors.Join(printed, err)
			} else {
				g.term.noteNothing(cmd.Context())
			}
			if err != nil || !profileToo {
				return cmp.Or(err, verdict)
			}
			if opt.Flags.Bench != "" {
				g.term.notice("a profile is of a whole suite: --bench does not narrow it")
			}
			opt.Profile, opt.Flags.Rounds, opt.Anchor = true, 0, ""
			return cmp.Or(profileAfterwards(cmd.Context(), a, g.term, &out, opt), verdict)
		},
	}
	f := cmd.Flags()
	f.StringVar(&opt.Against, "against", "", "measure interleaved with this `revision`, as a trial")
	f.StringVar(&opt.Anchor, "anchor", "", "measure interleaved with this baseline `revision`, for history --anchor")
	f.StringVar(&opt.Rev, "rev", "", "measure this `revision` instead of the work tree")
	f.BoolVar(&profileToo, "profile", false, "afterwards also profile, as perftrack profile does")
	f.BoolVar(&gate, "gate", false, "exit 1 if a limit is missed, or with --against if anything regressed")
	f.BoolVar(&strict, "strict", false, "with --gate: exit 3 if a limit is undecided or bounds nothing here, or a verdict is inconclusive")
	f.BoolVar(&opt.Quick, "quick", false, "6 rounds of 20ms, 10 of a trial")
	out.addFlagForCI(cmd)
	return cmd
}

// profileAfterwards profiles what was measured. That a target prints no scopes is nothing wrong with
// the run: the functions of its benchmarks are profiled, as perftrack profile does, if it has any.
func profileAfterwards(ctx context.Context, a *workspace.Session, t *terminal, out *output, opt measure.Options) error {
	err := measureProfile(ctx, a, t, out, opt, profile.View{})
	var none *runner.NoScopesError
	ok := errors.As(err, &none)
	switch {
	case !ok:
		return err
	case opt.Against != "":
		t.notice(fmt.Sprintf("target %s prints no scopes of its own, of which there could be a profile; of its functions: perftrack profile --diff %s", none.Target, opt.Against))
		return nil
	}
	flags := measure.Flags{Bench: opt.Flags.Bench, CPUs: opt.Flags.CPUs, Timeout: opt.Flags.Timeout}
	if err = insteadOfScopes(ctx, a, t, out, profiling.Options{Targets: opt.Targets, Rev: opt.Rev, Flags: flags}, profile.View{}, none, err); errors.Is(err, none) {
		t.notice(err.Error())
		return nil
	}
	return err
}

func checkRun(cmd *cobra.Command, opt measure.Options, gate, strict bool) error {
	if strict && !gate {
		return errors.New("--strict goes with --gate")
	}
	if opt.Against != "" && opt.Anchor != "" {
		return errors.New("--anchor does not go with --against: a run is measured beside one other revision")
	}
	return refuseEmpty(cmd, "against", "anchor", "rev")
}

// checkProfileToo refuses --profile beside an --output in which it would be missing.
func checkProfileToo(profileToo bool, files []string) error {
	for _, f := range files {
		if profileToo && (strings.HasPrefix(f, "json=") || strings.HasPrefix(f, "csv=")) {
			return fmt.Errorf("--output %s holds one report and --profile makes two: run perftrack profile --output %s afterwards", f, f)
		}
	}
	return nil
}

// printRuns prints what was measured: the comparison of a trial, or the runs. The verdict is
// what the gate says of it, if there is one. Failed is what measuring ended with.
func printRuns(ctx context.Context, a *workspace.Session, t *terminal, out *output, res measure.Result, failed error, gate, strict bool) (verdict, err error) {
	measured := make([]*record.Run, len(res.Runs))
	for i, r := range res.Runs {
		measured[i] = r.Run
		t.notice(fmt.Sprintf("stored run %s: %s, %s%s", record.ShortHash(r.ID), r.Target, r.Status, sideText(r.Run)))
	}
	if res.Trial == "" {
		if gate {
			verdict = gateLimits(res.Limits, measured, strict)
		}
		return verdict, out.printFailing(t, always(runs.Report(res.Limits, measured...)), failed)
	}
	c, err := comparison.CompareTrial(ctx, a, measured)
	switch {
	case err != nil:
		return nil, err
	case gate && slices.ContainsFunc(measured, compare.IsAnchor): // no pull request: the limits are of the run itself
		verdict = gateLimits(res.Limits, measured, strict)
	case gate:
		verdict = gateOn(c, strict)
	}
	view := (&viewFlags{}).view(ctx, a, c)
	if gate && !slices.ContainsFunc(measured, compare.IsAnchor) {
		says := c.Gate(compare.GateOptions{Strict: strict})
		view.Gate = &says
	}
	return verdict, out.printFailing(t, always(failing(view.Report(c), verdict)), failed)
}

func sideText(r *record.Run) string {
	if r.Side == record.NoSide {
		return ""
	}
	return fmt.Sprintf(", %s of trial %s", sideName(r), r.Trial)
}

// sideName is what a run is in its trial.
func sideName(r *record.Run) string {
	if compare.IsAnchor(r) {
		return "anchor"
	}
	return string(r.Side)
}
