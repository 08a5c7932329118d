package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/explain"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/profiles"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/reports/explanation"
)

func newExplainCommand(g *globals) *cobra.Command {
	var opt explain.Options
	var out output
	var html string
	cmd := &cobra.Command{
		Use:   "explain [BASE [HEAD]] [--bench NAME]",
		Short: "Show which functions make a benchmark faster or slower",
		Long: `Show which functions make a benchmark faster or slower between two revisions.

It lists each function's own time and allocations on both sides, and its share of the
whole change; its time with all that it calls; and which functions differ in the source.
A function that calls another one more often is the cause, and comes first. Without HEAD
it is the current commit. Without BASE it is the newest trial, and without --bench its
worst row.

The time is that of the newest stored trial of the two revisions; if there is none,
both are measured now. Then the test binary runs under the CPU profiler, in processes
of its own and with the same layouts on both sides, and once more to count
allocations. A difference that may be chance is not reported as one: more
--processes, or a longer --benchtime, find smaller ones. The profiles are kept beside
the database, of as many operations on both sides, and go tool pprof opens them; --html
also draws their flame graphs. --budget bounds the whole, but for a wait for another
perftrack.

Functions are shown for targets of kind gotest. With --suite, and for other programs,
it is the scopes that the program prints when PERFTRACK_PROFILE is set.
` + exitStatus,
		Example: `  perftrack explain                     the worst row of the newest trial
  perftrack explain HEAD~1 --bench MatMul_512x512
  perftrack explain v1.4.0 main --bench Sort/n=1000 --processes 16
  perftrack explain HEAD~1 --bench Sort --html flames
  perftrack explain HEAD~1 HEAD --suite deep --target suites`,
		Args: cobra.MaximumNArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			a, err := g.start(cmd, out.check(g.term), checkExplain(opt), refuseEmpty(cmd, "html"))
			if err != nil {
				return err
			}
			opt.Flags = g.flags
			e, err := explained(cmd.Context(), a, args, opt)
			g.term.clearStatus()
			if err != nil {
				return err
			}
			err = out.print(g.term, explanation.Report(e))
			if html != "" {
				err = errors.Join(err, writeExplained(g.term, html, e))
			}
			return err
		},
	}
	f := cmd.Flags()
	f.StringVar(&opt.Target, "target", "", "the `target`, where there are several")
	f.StringVar(&opt.Package, "package", "", "the import `path`, where several packages have the benchmark")
	f.DurationVar(&opt.Budget, "budget", 0, "longest time of all; 0 is no limit")
	f.IntVar(&opt.Processes, "processes", 0, "profiled processes a side (default 8)")
	f.StringVar(&html, "html", "", htmlUsage)
	out.addFlag(cmd)
	return cmd
}

// explained is the explanation between the revisions that were named, or else of the newest trial.
func explained(ctx context.Context, a *workspace.Session, args []string, opt explain.Options) (*explanation.Explanation, error) {
	switch len(args) {
	case 0:
		return explain.Newest(ctx, a, opt)
	case 1:
		return explain.Between(ctx, a, args[0], "HEAD", opt)
	}
	return explain.Between(ctx, a, args[0], args[1], opt)
}

// writeExplained draws the flame graphs of the profiles that an explanation kept.
func writeExplained(t *terminal, dir string, e *explanation.Explanation) error {
	if len(e.Profiles) == 0 {
		return fault.Usagef("--html: scopes have no flame graph: name a benchmark with --bench")
	}
	var all []profiles.Profile
	for _, file := range e.Profiles {
		p, err := profiles.Read(file.Path)
		if err != nil {
			return fault.IO(err)
		}
		all = append(all, p)
	}
	return writeFlames(t, dir, all)
}

func checkExplain(opt explain.Options) error {
	if opt.Processes < 0 {
		return fmt.Errorf("--processes %d is negative", opt.Processes)
	}
	return checkBudget(opt.Budget)
}
