package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/console"
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

// functionOptions holds the flags of profile that only apply to functions.
type functionOptions struct {
	base, html string
	budget     time.Duration
}

// functionFlags lists the flags for a profile of functions instead of scopes.
var functionFlags = []string{"bench", "benchtime", "procs", "diff", "html", "budget"}

func (o *functionOptions) addFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&o.base, "diff", "", "compare the functions at this `revision` with those at the revision in the argument (default HEAD)")
	f.StringVar(&o.html, "html", "", htmlUsage)
	f.DurationVar(&o.budget, "budget", 0, "for functions: start no new benchmark after this `time` (default "+compare.ShortDuration(profiling.DefaultBudget)+")")
}

const htmlUsage = "write flame graphs as pages, with an index.html, into this `folder`"

// options returns the options for profiling functions. If there is an argument, it is the revision
// to profile.
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

// checkFunctions returns an error if flags for functions are mixed with flags or arguments for
// scopes.
func checkFunctions(cmd *cobra.Command, args []string) error {
	f := cmd.Flags()
	switch diff := f.Changed("diff"); {
	case !asksForFunctions(cmd):
		return nil
	case f.Changed("against"):
		return errors.New("--against profiles scopes: to profile the functions at two revisions, use --diff BASE HEAD")
	case diff && f.Changed("rev"):
		return errors.New("--diff takes the other revision as an argument, not in --rev: use --diff BASE HEAD")
	case !diff && len(args) == 1:
		return fmt.Errorf("suite %s has scopes, to which --bench, --benchtime, --procs, --html and --budget do not apply", args[0])
	}
	if d := f.Lookup("budget"); d.Changed && d.Value.String()[0] == '-' {
		return fmt.Errorf("--budget %s is negative", d.Value)
	}
	return nil
}

// insteadOfScopes profiles the functions of a target that prints no scopes. If the target has no
// functions either, it returns the error in scopes, which says that there are no scopes.
func insteadOfScopes(ctx context.Context, a *workspace.Session, t *console.Console, out *console.Output, opt profiling.Options, view profile.View, none *runner.NoScopesError, scopes error) error {
	t.Notice(fmt.Sprintf("target %s prints no scopes: profiling the functions in its benchmarks instead", none.Target))
	err := profileFunctions(ctx, a, t, out, opt, "", view)
	var without *runner.NoFunctionsError
	if errors.As(err, &without) {
		return scopes
	}
	return err
}

// profileFunctions profiles functions and prints the results, even after an interruption.
func profileFunctions(ctx context.Context, a *workspace.Session, t *console.Console, out *console.Output, opt profiling.Options, html string, view profile.View) error {
	res, err := profiling.Run(ctx, a, opt)
	t.ClearStatus()
	if len(res.Benchmarks)+len(res.Failures)+len(res.Left) > 0 {
		err = errors.Join(out.PrintFailing(t, console.Always(functions.View(view).Report(res.Result)), err), err)
	}
	if html == "" || len(res.Profiles) == 0 {
		return err
	}
	return errors.Join(writeFlames(t, html, res.Profiles), err)
}

// writeFlames writes flame graphs of the profiles to the folder dir.
func writeFlames(t *console.Console, dir string, all []profiles.Profile) error {
	index, err := profiles.WritePages(dir, all)
	if err != nil {
		return fault.IO(err)
	}
	t.Notice("flame graphs: " + index)
	return nil
}
