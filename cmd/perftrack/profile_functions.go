package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/measure"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/profiles"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/profiling"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/reports/functions"
	"github.com/perftrack/perftrack/reports/profile"
	"github.com/perftrack/perftrack/runner"
)

// functionOptions are the flags of profile that are of functions, not of scopes.
type functionOptions struct {
	base, html string
	budget     time.Duration
}

// functionFlags are those that ask for functions.
var functionFlags = []string{"bench", "benchtime", "procs", "diff", "html", "budget"}

func (o *functionOptions) addFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&o.base, "diff", "", "profile the functions of this `revision` beside those of the one after it (default HEAD)")
	f.StringVar(&o.html, "html", "", htmlUsage)
	f.DurationVar(&o.budget, "budget", 0, "of functions: begin no other benchmark after this `time` (default "+compare.ShortDuration(profiling.DefaultBudget)+")")
}

const htmlUsage = "write flame graphs as pages, with an index.html, into this `folder`"

// options are those of profiling; an argument is the head of a difference.
func (o *functionOptions) options(opt measure.Options, args []string) profiling.Options {
	out := profiling.Options{Targets: opt.Targets, Rev: opt.Rev, Base: o.base, Budget: o.budget, Flags: opt.Flags}
	if len(args) == 1 {
		out.Rev = args[0]
	}
	return out
}

func asksForFunctions(cmd *cobra.Command) bool {
	for _, name := range functionFlags {
		if cmd.Flags().Changed(name) {
			return true
		}
	}
	return false
}

// checkFunctions refuses what is of scopes beside what is of functions.
func checkFunctions(cmd *cobra.Command, args []string) error {
	f := cmd.Flags()
	switch diff := f.Changed("diff"); {
	case !asksForFunctions(cmd):
		return nil
	case f.Changed("against"):
		return errors.New("--against is a trial of scopes: the functions of two revisions are profiled with --diff BASE HEAD")
	case diff && f.Changed("rev"):
		return errors.New("--diff BASE takes the other revision as its argument, not as --rev: --diff BASE HEAD")
	case !diff && len(args) == 1:
		return fmt.Errorf("a suite %s has scopes: it goes with none of --bench, --benchtime, --procs, --html and --budget", args[0])
	}
	if d := f.Lookup("budget"); d.Changed && d.Value.String()[0] == '-' {
		return fmt.Errorf("--budget %s is negative", d.Value)
	}
	return nil
}

// insteadOfScopes profiles the functions of a target that prints no scopes, as no program does
// that is not made for it.
func insteadOfScopes(ctx context.Context, a *workspace.Session, t *terminal, out *output, opt profiling.Options, view profile.View, none *runner.NoScopesError, scopes error) error {
	t.notice(fmt.Sprintf("target %s prints no scopes of its own: the functions of its benchmarks are profiled", none.Target))
	err := profileFunctions(ctx, a, t, out, opt, "", view)
	var without *runner.NoFunctionsError
	if errors.As(err, &without) {
		return scopes
	}
	return err
}

// profileFunctions profiles the functions, and prints what there is of them also when it was
// interrupted.
func profileFunctions(ctx context.Context, a *workspace.Session, t *terminal, out *output, opt profiling.Options, html string, view profile.View) error {
	res, err := profiling.Run(ctx, a, opt)
	t.clearStatus()
	if len(res.Benchmarks)+len(res.Failures)+len(res.Left) > 0 {
		err = errors.Join(out.printFailing(t, always(functions.View(view).Report(res.Result)), err), err)
	}
	if html == "" || len(res.Profiles) == 0 {
		return err
	}
	return errors.Join(writeFlames(t, html, res.Profiles), err)
}

// writeFlames draws the flame graphs of profiles into a folder.
func writeFlames(t *terminal, dir string, all []profiles.Profile) error {
	index, err := profiles.WritePages(dir, all)
	if err != nil {
		return fault.IO(err)
	}
	t.notice("flame graphs: " + index)
	return nil
}
