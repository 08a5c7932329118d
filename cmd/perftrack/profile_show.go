package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/comparison"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/console"
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

// checkShow returns an error if --show is combined with flags for measuring.
func checkShow(cmd *cobra.Command, args []string) error {
	f := cmd.Flags()
	if !f.Changed("show") {
		return nil
	}
	if f.Lookup("show").Value.String() == "" {
		return errors.New("--show is empty: is a variable unset?")
	}
	if len(args) > 0 {
		return fmt.Errorf("--show prints a stored profile and takes no suite: remove %s", args[0])
	}
	for _, name := range []string{"target", "rev", "against", "rounds", "timeout", "cpus", "procs", "benchtime", "diff", "html", "budget"} {
		if f.Changed(name) {
			return fmt.Errorf("--show does not measure: remove --%s", name)
		}
	}
	return nil
}

// showProfile prints the stored profile named by word. It prints the benchmarks' functions if there
// are no scopes or bench is set, and the scopes otherwise.
func showProfile(ctx context.Context, a *workspace.Session, t *console.Console, out *console.Output, word, bench string, view profile.View) error {
	pattern, err := naming.ParsePattern(bench)
	if err != nil {
		return fault.Usage(err)
	}
	found, missing := comparison.FindProfiled(ctx, a, word)
	switch {
	case errors.Is(missing, store.ErrNoDatabase):
		return fault.Data(fmt.Errorf("nothing is stored here yet, so there is no profile of %s: create one with perftrack profile, or with --rev for a revision", word))
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
		return out.Print(t, r)
	case len(kept.Benchmarks) > 0:
		return out.Print(t, functions.View(view).Report(kept.Result))
	}
	return fault.Data(nothingToShow(ctx, a, found, bench, missing))
}

// sayWhatElse mentions the commit's other stored profiles.
func sayWhatElse(t *console.Console, found comparison.Profiled, benchmarks int) {
	if found.Older > 0 {
		t.Notice(fmt.Sprintf("%s of %s with the same suites: only the newest of each is shown (for the others, pass an id from perftrack list runs to --show)",
			reports.Plural(found.Older, "older profile"), found.Word))
	}
	if benchmarks > 0 {
		t.Notice(fmt.Sprintf("the functions of %s were also profiled: show them with perftrack profile --show %s --bench .", reports.Plural(benchmarks, "benchmark"), found.Word))
	}
}

// nothingToShow returns the error for a missing profile. If possible, the error lists existing
// profiles.
func nothingToShow(ctx context.Context, a *workspace.Session, found comparison.Profiled, bench string, missing error) error {
	var unmeasured *comparison.UnmeasuredError
	switch {
	case bench != "":
		return fmt.Errorf("no stored profile of functions matches --bench %s at %s: create one with perftrack profile --bench %s --rev %[2]s", bench, found.Word, bench)
	case missing == nil:
		return fmt.Errorf("show profile of %s: only benchmark results are stored; create a profile with perftrack profile --rev", found.Word)
	case !errors.As(missing, &unmeasured):
		return missing
	}
	others, err := comparison.ScopesOfNoCommit(ctx, a, 3)
	if err != nil {
		return err
	}
	text := fmt.Sprintf("no profile of %s is stored: ", unmeasured.Name)
	if len(others) == 0 {
		return fmt.Errorf("%screate one with perftrack profile --rev %s", text, unmeasured.Word)
	}
	text += "the built-in engine's profiles belong to no commit:"
	for _, info := range others {
		text += fmt.Sprintf("\n  perftrack profile --show %s   %s, %s", record.ShortHash(info.ID), info.Target, info.Facts.Get(record.KeyMeasured))
	}
	return errors.New(text)
}
