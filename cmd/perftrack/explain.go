package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/console"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/explain"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/helptext"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/measure/measureflags"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/profiles"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/reports/explanation"
)

func newExplainCommand(g *globals) *cobra.Command {
	var opt explain.Options
	var out console.Output
	var html string
	cmd := &cobra.Command{
		Use:   "explain [BASE [HEAD]] [--bench NAME]",
		Short: "Show which functions make a benchmark faster or slower",
		Long: `Show which functions make a benchmark faster or slower between two revisions.

Each function has its own time and allocations on both sides, its share of the change,
and whether its source differs. Without HEAD, explain takes the current commit; without
BASE, the newest trial, and without --bench its worst row. explain profiles both sides, and
measures them first if no trial of them is stored.
` + exitStatus,
		Example: `  perftrack explain                     the worst row of the newest trial
  perftrack explain HEAD~1 --bench MatMul_512x512
  perftrack explain v1.4.0 main --bench Sort/n=1000
  perftrack explain HEAD~1 --bench Sort --html flames`,
		Args: cobra.MaximumNArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			a, err := g.start(cmd, out.Check(g.term), checkExplain(opt), helptext.RefuseEmpty(cmd, "html"))
			if err != nil {
				return err
			}
			opt.Flags = g.flags
			e, err := explained(cmd.Context(), a, args, opt)
			g.term.ClearStatus()
			if err != nil {
				return err
			}
			err = out.Print(g.term, explanation.Report(e))
			if html != "" {
				err = errors.Join(err, writeExplained(g.term, html, e))
			}
			return err
		},
	}
	f := cmd.Flags()
	f.StringVar(&opt.Target, "target", "", "the `target`, if there are several")
	f.StringVar(&opt.Package, "package", "", "the import `path`, if several packages have the benchmark")
	f.DurationVar(&opt.Budget, "budget", 0, "time limit; 0 is none")
	f.IntVar(&opt.Processes, "processes", 0, "profiled processes per side (default 8)")
	f.StringVar(&html, "html", "", htmlUsage)
	out.AddFlag(cmd)
	return cmd
}

// explained explains the change between the revisions in args, or the newest trial if args is
// empty.
func explained(ctx context.Context, a *workspace.Session, args []string, opt explain.Options) (*explanation.Explanation, error) {
	switch len(args) {
	case 0:
		return explain.Newest(ctx, a, opt)
	case 1:
		return explain.Between(ctx, a, args[0], "HEAD", opt)
	}
	return explain.Between(ctx, a, args[0], args[1], opt)
}

// writeExplained writes flame graphs of e's profiles to the folder dir.
func writeExplained(t *console.Console, dir string, e *explanation.Explanation) error {
	if len(e.Profiles) == 0 {
		return fault.Usagef("--html: scopes have no flame graph; name a benchmark with --bench")
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
	return measureflags.CheckBudget(opt.Budget)
}
