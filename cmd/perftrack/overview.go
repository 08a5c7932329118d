package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/console"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/history"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/pages"
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

// manyPoints is [history.ManyPoints]; tests lower it.
var manyPoints = history.ManyPoints

// keepHistories keeps the summaries of all histories if the command wrote to the database. They only
// save time, so nothing fails without them.
func keepHistories(ctx context.Context, a *workspace.Session) {
	if !a.Wrote || ctx.Err() != nil {
		return
	}
	stored, err := history.Keep(ctx, a, manyPoints)
	if err == nil && stored {
		err = pages.Keep(ctx, a)
	}
	if err != nil {
		a.Noticef("keep summaries of the histories: %v", err)
	}
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
