package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/backfill"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/console"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/helptext"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/measure/measureflags"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/when"
	"github.com/perftrack/perftrack/reports"
)

func newBackfillCommand(g *globals) *cobra.Command {
	var opt backfill.Options
	var out console.Output
	var every string
	cmd := &cobra.Command{
		Use:   "backfill A..B [TARGET...]",
		Short: "Measure past commits to fill a history",
		Long: `Measure past commits, so that the history is full on its first day.

backfill measures the commits from A to B along first parents, except those measured
already. Each is measured in the same rounds as one fixed commit, the anchor (A, or
--anchor), so that perftrack history --anchor compares commits of different days. The order
keeps the points evenly spread, so --budget or Ctrl-C may end it at any time; the same
command continues.
` + exitStatus,
		Example: `  perftrack backfill v1.0..main                     every commit since v1.0
  perftrack backfill v1.0..main --steps 20          20 of them, evenly spaced
  perftrack backfill v1.0..main --tags              the releases
  perftrack backfill v1.0..main --every 7d          the newest of each week
  perftrack backfill v1.0..main --budget 2h         as many as fit two hours`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			var err error
			if every != "" {
				opt.Choice.Every, err = when.Span("every", every, time.Minute, now())
			}
			a, err := g.start(cmd, out.Check(g.term), checkBackfill(cmd, opt), checkWorkers(cmd), err)
			if err != nil {
				return err
			}
			opt.Range, opt.Targets, opt.Flags = args[0], args[1:], g.flags
			res, err := backfill.Run(cmd.Context(), a, opt)
			g.term.ClearStatus()
			if err == nil || slices.ContainsFunc(res.Steps, func(s backfill.Step) bool { return s.State != backfill.NotReached || s.Detail != "" }) {
				err = errors.Join(out.PrintFailing(g.term, func(format string) reports.Report { return backfill.Report(res, format) }, err), err)
			}
			if errors.Is(err, context.Canceled) {
				g.term.Notice("to continue, run the same command")
			}
			return err
		},
	}
	f := cmd.Flags()
	f.IntVar(&opt.Choice.Steps, "steps", 0, "measure `number` evenly spaced commits, counting those already measured")
	f.BoolVar(&opt.Choice.Tags, "tags", false, "measure the tagged commits")
	f.StringVar(&every, "every", "", "measure the newest commit of each `period`, by commit date: 12h, 7d, 4w")
	f.StringVar(&opt.Anchor, "anchor", "", "measure each commit beside this baseline `revision` (default A)")
	f.DurationVar(&opt.Budget, "budget", 0, "time limit; the current commit is finished (default none)")
	addWorkersFlags(cmd, &opt.Workers)
	out.AddFlag(cmd)
	return cmd
}

func checkBackfill(cmd *cobra.Command, opt backfill.Options) error {
	ways := 0
	for _, name := range []string{"steps", "tags", "every"} {
		if cmd.Flags().Changed(name) {
			ways++
		}
	}
	switch {
	case ways > 1:
		return errors.New("--steps, --tags and --every cannot be combined: use one")
	case cmd.Flags().Changed("steps") && opt.Choice.Steps < 1:
		return fmt.Errorf("--steps %d is invalid: use 1 or more", opt.Choice.Steps)
	}
	return errors.Join(measureflags.CheckBudget(opt.Budget), helptext.RefuseEmpty(cmd, "every", "anchor"))
}
