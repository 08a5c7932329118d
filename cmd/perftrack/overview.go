package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/history"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/compare/steps"
)

// printOverview prints how all benchmarks stand, a line each: history and list without a name.
func printOverview(ctx context.Context, a *workspace.Session, t *terminal, out *output, opt history.Options, flags viewFlags) error {
	all, err := history.Outline(ctx, a, opt, a.CacheFile(ctx, ".outlines"))
	if notYet(a, err) {
		all, err = steps.Overview{}, nil
	}
	if err != nil {
		return err
	}
	t.clearStatus()
	view := flags.overview()
	var names []string
	for _, b := range all.Outlines {
		names = append(names, b.Name)
	}
	if len(names) > 0 { // else that is said
		if err := flags.missed(names, view.Bench); err != nil {
			return err
		}
	}
	return out.print(t, view.Overview(all))
}

// checkOverview refuses flags that narrow the rows of one history.
func checkOverview(cmd *cobra.Command) error {
	for _, name := range []string{"since", "limit", "all", "plot", "anchor"} {
		if cmd.Flags().Changed(name) {
			return errors.New("--" + name + " is for the history of one benchmark: name it, as perftrack list benchmarks does")
		}
	}
	return nil
}
