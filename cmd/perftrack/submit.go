package main

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/check"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/fleet"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/helptext"
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
			return nil
		},
	}
	f := cmd.Flags()
	f.StringVar(&base, "base", "", "compare with this `revision` (default the merge base with the default branch)")
	f.StringVar(&head, "head", "", "check this `revision` (default HEAD)")
	f.StringVar(&spread.Class, "class", "", "`name` of the class of machines")
	addSpreadFlags(cmd, &spread)
	return cmd
}

// addSpreadFlags declares the flags of a check that other machines measure.
func addSpreadFlags(cmd *cobra.Command, s *check.Spread) {
	f := cmd.Flags()
	f.StringVar(&s.URL, "repo", "", "`address` from which workers clone the repository (default the remote origin, or its path if the database is a file)")
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
			return fmt.Errorf("--class names the class of machines: see perftrack list workers")
		}
		return nil
	}
	return helptext.OneOf("priority", s.Priority, slices.Clone(fleet.Priorities)...)
}
