package main

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/fleet"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/handover"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/helptext"
	"github.com/perftrack/perftrack/runner/proc"
)

func newWorkerCommand(g *globals) *cobra.Command {
	var opt fleet.WorkerOptions
	cmd := &cobra.Command{
		Use:   "worker --class CLASS",
		Short: "Measure what others queue",
		Long: `Measure the jobs of a queue, on a machine of the given class.

A job is a few rounds of a trial that perftrack check --workers or perftrack submit queued
in the same database. Workers of a class share the rounds of a trial. A worker may end at
any time: another one measures its job again.

Benchmarks run in bubblewrap, without network and without the worker's files. Where that is
not possible, the worker refuses to start without --trusted.

The worker starts perftrack-fleet, a separate program: see perftrack help scaling.
` + exitStatus,
		Example: `  perftrack worker --class c7g
  perftrack worker --class c7g --once     until no job waits: cron, Slurm
  perftrack worker --class c7g --cpus 2-3
  perftrack worker --class c7g --decide   also decide what was submitted`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			opt.CPUs = g.flags.CPUs
			missing := error(nil)
			if opt.Class == "" {
				missing = errors.New("--class names the class of this machine, such as its type")
			}
			a, err := g.start(cmd, helptext.RefuseEmpty(cmd, "class", "id", "work"), missing)
			if err != nil {
				return err
			}
			path, err := fleet.Find(a)
			if err != nil {
				return err
			}
			env, err := fleet.Prepare(cmd.Context(), a)
			if err != nil {
				return err
			}
			if path, err := a.DatabasePath(cmd.Context()); err == nil {
				g.term.Notice("jobs come from " + path)
			}
			proc.Dismiss()
			return fault.IO(handover.Exec(path, opt.Args(a), env))
		},
	}
	f := cmd.Flags()
	f.StringVar(&opt.Class, "class", "", "`name` of the class: all machines of a class count as equally fast")
	f.BoolVar(&opt.Once, "once", false, "end when no job waits")
	f.BoolVar(&opt.Trusted, "trusted", false, "run benchmarks without bubblewrap")
	f.BoolVar(&opt.Decide, "decide", false, "also decide what perftrack submit queued; needs the right to write runs")
	f.IntVar(&opt.InFlight, "in-flight", 0, "leave jobs of a repository alone while `n` of it are running; 0 is no limit")
	f.StringVar(&opt.ID, "id", "", "`name` of this worker (default the name of the host, with a number if it is taken)")
	f.StringVar(&opt.Work, "work", "", "`folder` for clones (default in the user's cache)")
	return cmd
}
