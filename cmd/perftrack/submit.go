package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/check"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/console"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/fleet"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/helptext"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/queue"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
)

func newSubmitCommand(g *globals) *cobra.Command {
	var base, head string
	var spread check.Spread
	cmd := &cobra.Command{
		Use:   "submit --base REV --head REV --class CLASS [-- FLAGS]",
		Short: "Queue a check for other machines",
		Long: `Queue a check of two commits, and return at once.

Workers of the class measure it, and one with --decide decides: see perftrack help scaling.
perftrack compare BASE HEAD shows the result. To wait for it instead, use perftrack check
--workers. Flags after -- are those of perftrack check.

A newer head of the same --pull-request ends this check, and keeps its rounds.
` + exitStatus,
		Example: `  perftrack submit --base main --head HEAD --class c7g
  perftrack submit --base main --head HEAD --class c7g -- --bench Sort`,
		RunE: func(cmd *cobra.Command, args []string) error {
			a, err := g.start(cmd, helptext.RefuseEmpty(cmd, "base", "head", "class", "repo"), checkSpread(cmd, spread))
			if err != nil {
				return err
			}
			s, err := check.Submit(cmd.Context(), a, check.Options{Base: base, Head: head, Spread: spread}, args)
			if err != nil {
				return err
			}
			fmt.Fprintln(g.term.Stdout, s)
			g.term.Notice("this is the number of the job: perftrack compare BASE HEAD shows the result, and perftrack serve the queue")
			return warnIdle(cmd.Context(), a, g.term, spread.Class)
		},
	}
	f := cmd.Flags()
	f.StringVar(&base, "base", "", "compare with this `revision` (default the merge base with the default branch)")
	f.StringVar(&head, "head", "", "check this `revision` (default HEAD)")
	f.StringVar(&spread.Class, "class", "", "`name` of the class of machines")
	addSpreadFlags(cmd, &spread)
	return cmd
}

// warnIdle warns if nobody could measure or decide now.
func warnIdle(ctx context.Context, a *workspace.Session, t *console.Console, class string) error {
	q, err := queue.Read(ctx, a)
	if err != nil {
		return err
	}
	if q == nil {
		q = &queue.State{}
	}
	measures, decides := false, false
	for _, c := range q.Classes {
		measures = measures || c.Name == class && c.Live > 0
		decides = decides || c.Checks && c.Live > 0
	}
	if !measures {
		t.Notice(fmt.Sprintf("no worker of class %s is alive: see perftrack list workers", class))
	}
	if !decides {
		t.Notice("no worker decides: start one with perftrack worker --decide")
	}
	return nil
}

// addSpreadFlags declares the flags of a check that other machines measure.
func addSpreadFlags(cmd *cobra.Command, s *check.Spread) {
	f := cmd.Flags()
	f.StringVar(&s.URL, "repo", "", repoUsage)
	f.StringVar(&s.PullRequest, "pull-request", "", "`number` of the pull request: a newer head of the same one ends this check")
	f.StringVar(&s.Priority, "priority", fleet.PullRequest, "release, pull-request, nightly or backfill")
	f.BoolVar(&s.Optional, "optional", false, "report, but never fail: for a class of machines on trial")
}

// checkSpread returns an error for flags that need each other, or have a wrong value.
func checkSpread(cmd *cobra.Command, s check.Spread) error {
	if s.Class == "" {
		for _, name := range []string{"repo", "pull-request", "priority", "optional"} {
			if cmd.Flags().Changed(name) {
				return fmt.Errorf("--%s needs --workers", name)
			}
		}
		if cmd.Name() == "submit" {
			return errors.New("--class names the class of machines: see perftrack list workers")
		}
		return nil
	}
	return helptext.OneOf("priority", s.Priority, fleet.Priorities...)
}
