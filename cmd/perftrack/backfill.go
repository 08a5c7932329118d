package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/backfill"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/runner/record"
)

func newBackfillCommand(g *globals) *cobra.Command {
	var opt backfill.Options
	var out output
	var every string
	cmd := &cobra.Command{
		Use:   "backfill A..B [TARGET...]",
		Short: "Measure commits of the past, to fill a history",
		Long: `Measure commits of the past, so that the history is full on its first day.

It takes the commits from A to B that are not measured yet, A included, along first
parents, and stores what it measures by commit. --steps, --tags or --every choose some
of them.

Each commit is measured in the same rounds as a build of one fixed commit, the anchor:
A, or what --anchor names. What the machine did to both that day cancels out of their
ratio, which perftrack history --anchor shows, so that commits measured on different
days compare. The anchor has to build and to have the benchmarks: where A is too old
for that, name a later one, such as --anchor B.

The newest commit is measured first, then the oldest, and then the gaps are halved, so
that whatever ends it early leaves points evenly spread: --budget, after which no commit
is begun that would take longer than what is left; or Ctrl-C, with which the commit under
way is stored as partial. The same command goes on from there: a commit that was measured
on this machine, beside this anchor, with these benchmarks, is not measured again. One in
which some benchmarks failed is not tried again; perftrack run --rev tries it.

A commit with the same machine code as one that was measured is not measured: that run
counts for it, too, and the history says so. One that does not build, or has no such
benchmark, is named and passed over. Targets and their settings are those of the
perftrack.toml in your work tree for all commits, whatever they had themselves; all else
of the work tree plays no part. Commits are checked out into throw-away worktrees.
` + exitStatus,
		Example: `  perftrack backfill v1.0..main                     every commit since v1.0
  perftrack backfill v1.0..main --steps 20          20 of them, evenly spaced
  perftrack backfill v1.0..main --tags              the releases
  perftrack backfill v1.0..main --every 7d          the newest of each week
  perftrack backfill v1.0..main --budget 2h         as many as fit two hours
  perftrack backfill v0.1..main --anchor v1.0 --bench Encode`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			var err error
			if every != "" {
				opt.Choice.Every, err = parseSpan(cmd.Context(), "every", every, time.Minute)
			}
			a, err := g.start(cmd, out.check(g.term), checkBackfill(cmd, opt), err)
			if err != nil {
				return err
			}
			opt.Range, opt.Targets, opt.Flags = args[0], args[1:], g.flags
			res, err := backfill.Run(cmd.Context(), a, opt)
			g.term.clearStatus()
			if err == nil || slices.ContainsFunc(res.Steps, func(s backfill.Step) bool { return s.State != backfill.NotReached || s.Detail != "" }) {
				err = errors.Join(out.printFailing(g.term, func(format string) reports.Report { return backfillReport(res, format) }, err), err)
			}
			return err
		},
	}
	f := cmd.Flags()
	f.IntVar(&opt.Choice.Steps, "steps", 0, "measure so `many` commits, evenly spaced, those that are measured already among them")
	f.BoolVar(&opt.Choice.Tags, "tags", false, "measure the commits that have a tag")
	f.StringVar(&every, "every", "", "measure the newest commit of each `period`, by commit date: 12h, 7d, 4w")
	f.StringVar(&opt.Anchor, "anchor", "", "measure each commit beside this baseline `revision` (default A)")
	f.DurationVar(&opt.Budget, "budget", 0, "longest time; a commit that was begun is finished (default no limit)")
	out.addFlag(cmd)
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
		return errors.New("--steps, --tags and --every are three ways to choose commits: give one")
	case cmd.Flags().Changed("steps") && opt.Choice.Steps < 1:
		return fmt.Errorf("--steps %d is not a number of commits", opt.Choice.Steps)
	}
	return errors.Join(checkBudget(opt.Budget), refuseEmpty(cmd, "every", "anchor"))
}

// backfillReport lists what became of the commits that were chosen, for people without those
// that were not reached.
func backfillReport(res backfill.Result, format string) reports.Report {
	l := newListing("backfill", "commit", "date", "target", "state", "detail", "#seconds")
	l.extra("seconds", "date", "target")
	l.wraps("state", "detail")
	for _, s := range res.Steps {
		if s.State == backfill.NotReached && s.Detail == "" && (format == "text" || format == "markdown") {
			continue
		}
		seconds := brief{"", ""}
		if s.Took > 0 {
			seconds = brief{fmt.Sprintf("%.1f", s.Took.Seconds()), s.Took.Seconds()}
		}
		date := brief{reports.Day(s.Commit.Time), s.Commit.Time.UTC().Format(time.RFC3339)}
		l.add(brief{record.ShortHash(s.Commit.SHA), s.Commit.SHA}, date, s.Target, string(s.State), s.Detail, seconds)
	}
	r := l.report()
	r.Facts = []reports.Fact{{Key: "range", Value: fmt.Sprintf("%s (%s)", res.Range, reports.Plural(res.Line, "commit"))}, {Key: "anchor", Value: record.ShortHash(res.Anchor.SHA)}}
	var parts []string
	for _, state := range []backfill.State{backfill.Measured, backfill.CarriedOver, backfill.Already, backfill.Failed, backfill.PassedOver, backfill.NotReached} {
		if n := res.Count(state); n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, state))
		}
	}
	r.Summary = strings.Join(parts, ", ")
	if res.Count(backfill.Failed) > 0 {
		r.Remarks = append(r.Remarks, reports.Note{Text: "what else was measured where something failed is shown by perftrack history --all"})
	}
	if res.Stopped {
		r.Remarks = append(r.Remarks, reports.Note{Text: "the budget ended: the same command goes on"})
	}
	if res.Count(backfill.Measured)+res.Count(backfill.CarriedOver)+res.Count(backfill.Already) > 0 {
		r.Remarks = append(r.Remarks, reports.Note{Text: "see it with perftrack history --anchor " + record.ShortHash(res.Anchor.SHA) + " NAME, or without --anchor as measured"})
	}
	return r
}
