package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/comparison"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/profiling"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/reports/functions"
	"github.com/perftrack/perftrack/reports/profile"
	"github.com/perftrack/perftrack/runner/naming"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/store"
)

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
	for _, name := range []string{"target", "rev", "against", "rounds", "timeout", "cpus", "procs", "benchtime", "diff", "html", "budget"} {
		if f.Changed(name) {
			return fmt.Errorf("--show measures nothing: it takes no --%s", name)
		}
	}
	return nil
}

// showProfile prints what is stored of what the word means: its scopes, or the functions of its
// benchmarks where there are no scopes, or where bench asks for them.
func showProfile(ctx context.Context, a *workspace.Session, t *terminal, out *output, word, bench string, view profile.View) error {
	pattern, err := naming.ParsePattern(bench)
	if err != nil {
		return fault.Usage(err)
	}
	found, missing := comparison.FindProfiled(ctx, a, word)
	switch {
	case errors.Is(missing, store.ErrNoDatabase):
		return fault.Data(fmt.Errorf("nothing is stored here yet, so there is no profile of %s: perftrack profile makes one of the work tree, --rev of a revision", word))
	case missing != nil && found.Commit == "":
		return missing
	}
	var kept profiling.Result
	if found.Commit != "" {
		if kept, err = profiling.Kept(ctx, a, found.Commit, pattern); err != nil {
			return err
		}
	}
	switch {
	case bench == "" && len(found.Runs) > 0:
		sayWhatElse(t, found, len(kept.Benchmarks))
		where, err := a.Locate(ctx)
		if err != nil {
			return err
		}
		r := view.Report(found.Runs...)
		profile.AddLimits(&r, compare.Limits{List: where.Config.ProfileLimits(), Alpha: where.Config.Defaults.Alpha}, found.Runs)
		return out.print(t, r)
	case len(kept.Benchmarks) > 0:
		return out.print(t, functions.View(view).Report(kept.Result))
	}
	return fault.Data(nothingToShow(ctx, a, found, bench, missing))
}

// sayWhatElse names the profiles of a commit that are not shown.
func sayWhatElse(t *terminal, found comparison.Profiled, benchmarks int) {
	if found.Older > 0 {
		t.notice(fmt.Sprintf("%s of %s with the same suites: the newest of each is shown (perftrack list runs has their ids, and --show takes them)",
			reports.Plural(found.Older, "older profile"), found.Word))
	}
	if benchmarks > 0 {
		t.notice(fmt.Sprintf("the functions of %s were profiled, too: perftrack profile --show %s --bench . shows them", reports.Plural(benchmarks, "benchmark"), found.Word))
	}
}

// nothingToShow says what there is instead of the profile that was asked for.
func nothingToShow(ctx context.Context, a *workspace.Session, found comparison.Profiled, bench string, missing error) error {
	var unmeasured *comparison.UnmeasuredError
	switch {
	case bench != "":
		return fmt.Errorf("no profile of functions that --bench %s matches is kept of %s: perftrack profile --bench %s --rev %[2]s makes one", bench, found.Word, bench)
	case missing == nil:
		return fmt.Errorf("show profile of %s: only benchmarks are stored of it: perftrack profile --rev measures one", found.Word)
	case !errors.As(missing, &unmeasured):
		return missing
	}
	others, err := comparison.ScopesOfNoCommit(ctx, a, 3)
	if err != nil {
		return err
	}
	text := fmt.Sprintf("no profile of %s is stored: ", unmeasured.Name)
	if len(others) == 0 {
		return fmt.Errorf("%sperftrack profile --rev %s makes one", text, unmeasured.Word)
	}
	text += "those of the engine inside this perftrack are of no commit:"
	for _, info := range others {
		text += fmt.Sprintf("\n  perftrack profile --show %s   %s, %s", record.ShortHash(info.ID), info.Target, info.Facts.Get(record.KeyMeasured))
	}
	return errors.New(text)
}
