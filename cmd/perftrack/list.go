package main

import (
	"errors"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/console"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/history"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/listing"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/queue"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/viewing"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/reports"
	historyreport "github.com/perftrack/perftrack/reports/history"
	"github.com/perftrack/perftrack/store"
)

func newListCommand(g *globals) *cobra.Command {
	var opt history.Options
	var out console.Output
	var view viewing.Flags
	cmd := &cobra.Command{
		Use:   "list [targets|benchmarks|runs|trials|workers]",
		Short: "List stored benchmarks, runs and trials, targets, or workers",
		Long: `List the stored benchmarks and their state, one per line.

This is the list that perftrack history shows without a NAME: the newest values as a
sparkline, whether there is an unresolved regression, and the scatter of the newest level
(noise). --changed and --bench select rows and --sort orders them; the summary counts all
rows.
` + exitStatus,
		Example: `  perftrack list
  perftrack list --changed --sort change
  perftrack list --sort noise            the noisiest benchmarks on this machine
  perftrack list runs`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			a, err := g.start(cmd, out.Check(g.term), view.CheckRows())
			if err != nil {
				return err
			}
			opt.Unit = view.Unit
			return printOverview(cmd.Context(), a, g.term, &out, opt, view)
		},
	}
	cmd.Flags().StringVar(&opt.Target, "target", "", "only this `target`")
	view.AddForAll(cmd)
	out.AddFlag(cmd)
	cmd.AddCommand(newListTargets(g), newListBenchmarks(g), newListRuns(g), newListTrials(g), newListWorkers(g))
	return cmd
}

func newListTargets(g *globals) *cobra.Command {
	var out console.Output
	cmd := &cobra.Command{
		Use:     "targets",
		Short:   "List the targets that `perftrack run` measures",
		Long:    "List the targets that perftrack run measures, with their configuration.\n" + exitStatus,
		Example: "  perftrack list targets",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			a, err := g.start(cmd, out.Check(g.term))
			if err != nil {
				return err
			}
			targets, path, err := a.ListTargets(cmd.Context())
			if err != nil {
				return err
			}
			if path == "" {
				path = "found here, without perftrack.toml"
			}
			return out.Print(g.term, listing.Targets(targets, path))
		},
	}
	out.AddFlag(cmd)
	return cmd
}

func newListBenchmarks(g *globals) *cobra.Command {
	var out console.Output
	var target string
	cmd := &cobra.Command{
		Use:     "benchmarks",
		Short:   "List the stored benchmarks",
		Long:    "List the stored benchmarks with their units and number of runs.\n" + exitStatus,
		Example: "  perftrack list benchmarks --target engine",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return g.list(cmd, &out, nil, func(db *store.DB) (reports.Report, error) {
				benchmarks, err := db.Benchmarks(cmd.Context(), store.Filter{Target: target})
				return listing.Benchmarks(benchmarks), err
			})
		},
	}
	cmd.Flags().StringVar(&target, "target", "", "only this `target`")
	out.AddFlag(cmd)
	return cmd
}

func newListRuns(g *globals) *cobra.Command {
	var out console.Output
	var target string
	var limit int
	cmd := &cobra.Command{
		Use:     "runs",
		Short:   "List the stored runs, newest first",
		Long:    "List the stored runs, newest first. The id, or the start of it, names a run in\ncompare and export.\n" + exitStatus,
		Example: "  perftrack list runs --limit 10",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return g.list(cmd, &out, checkLimit(limit), func(db *store.DB) (reports.Report, error) {
				runs, err := db.Runs(cmd.Context(), store.Filter{Target: target, Limit: limit, Newest: true})
				return listing.Runs(runs), err
			})
		},
	}
	cmd.Flags().StringVar(&target, "target", "", "only this `target`")
	cmd.Flags().IntVar(&limit, "limit", 0, "at most `n` runs (default all)")
	out.AddFlag(cmd)
	return cmd
}

func newListTrials(g *globals) *cobra.Command {
	var out console.Output
	cmd := &cobra.Command{
		Use:     "trials",
		Short:   "List the trials, newest first",
		Long:    "List the trials (runs measured interleaved), newest first. The id names both\nsides in compare.\n" + exitStatus,
		Example: "  perftrack list trials",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return g.list(cmd, &out, nil, func(db *store.DB) (reports.Report, error) {
				trials, err := db.Trials(cmd.Context())
				return listing.Trials(trials), err
			})
		},
	}
	out.AddFlag(cmd)
	return cmd
}

// list opens the database and prints a report made from it. If check is an error, list returns it.
func (g *globals) list(cmd *cobra.Command, out *console.Output, check error, report func(*store.DB) (reports.Report, error)) (err error) {
	a, err := g.start(cmd, out.Check(g.term), check)
	if err != nil {
		return err
	}
	db, err := a.OpenForReading(cmd.Context())
	if notYet(a, err) {
		empty := reports.Listing("", reports.Table{})
		empty.Summary, empty.Tone = historyreport.NothingStored, reports.Warn
		return out.Print(g.term, empty)
	}
	if err != nil {
		return err
	}
	defer func() {
		if cerr := db.Close(); err == nil {
			err = cerr
		}
	}()
	r, err := report(db)
	if err != nil {
		return err
	}
	return out.Print(g.term, r)
}

// notYet reports whether err means that nothing has been stored here yet. It returns false for a
// database named by the user, because that one must exist.
func notYet(a *workspace.Session, err error) bool {
	return errors.Is(err, store.ErrNoDatabase) && a.DB == ""
}

func newListWorkers(g *globals) *cobra.Command {
	var out console.Output
	cmd := &cobra.Command{
		Use:     "workers",
		Short:   "List the workers of a fleet",
		Long:    "List the workers that measure for this database: see perftrack help scaling.\n" + exitStatus,
		Example: "  perftrack list workers",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return g.list(cmd, &out, nil, func(db *store.DB) (reports.Report, error) {
				q, err := db.Queue(cmd.Context())
				l := listing.New("workers", "worker", "class", "state", "decides", "job", "host", "cpu", "version")
				for _, w := range queue.Of(q, now()).Workers {
					l.Add(workerCells(w)...)
				}
				return l.Report(), err
			})
		},
	}
	out.AddFlag(cmd)
	return cmd
}

func workerCells(w queue.Worker) (cells []any) {
	state, decides, job := "alive", "no", ""
	if w.Lost {
		state = "lost"
	}
	if w.Decides {
		decides = "yes"
	}
	if w.Job != 0 {
		job = strconv.FormatInt(w.Job, 10)
	}
	return []any{w.ID, w.Class, state, decides, job, w.Host, w.CPU, w.Version}
}
