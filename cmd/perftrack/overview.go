package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/console"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/history"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/viewing"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/compare/steps"
)

// printOverview prints the state of all benchmarks, one line each, for the list command and for
// history without a name.
func printOverview(ctx context.Context, a *workspace.Session, t *console.Console, out *console.Output, opt history.Options, flags viewing.Flags) error {
	all, err := history.Outline(ctx, a, opt, a.CacheFile(ctx, ".outlines"))
	if notYet(a, err) {
		all, err = steps.Overview{}, nil
	}
	if err != nil {
		return err
	}
	t.ClearStatus()
	view := flags.Overview()
	var names []string
	for _, b := range all.Outlines {
		names = append(names, b.Name)
	}
	if len(names) > 0 { // an empty overview has a message of its own
		if err := flags.Missed(names, view.Bench); err != nil {
			return err
		}
	}
	return out.Print(t, view.Overview(all))
}

// checkOverview returns an error for flags that only apply to the history of a single benchmark.
func checkOverview(cmd *cobra.Command) error {
	for _, name := range []string{"since", "limit", "all", "plot", "anchor"} {
		if cmd.Flags().Changed(name) {
			return errors.New("--" + name + " is only for the history of one benchmark: name it as in perftrack list benchmarks")
		}
	}
	return nil
}
