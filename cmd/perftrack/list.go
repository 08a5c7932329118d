package main

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/history"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/reports"
	historyreport "github.com/perftrack/perftrack/reports/history"
	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/store"
)

func newListCommand(g *globals) *cobra.Command {
	var opt history.Options
	var out output
	var view viewFlags
	cmd := &cobra.Command{
		Use:   "list [targets|benchmarks|runs|trials]",
		Short: "List stored benchmarks and how they stand; runs, trials, targets",
		Long: `List the stored benchmarks and how they stand, a line each.

It is what perftrack history shows without a name: the newest values as a sparkline,
whether a regression is in force, and by how much the runs of the newest level
scatter (noise).

list targets lists what can be measured here instead, list benchmarks the units and
the number of runs of what is stored, list runs and list trials what was measured when.

--changed and --bench narrow what is shown and --sort orders it; the summary counts
all. Of a large database the result is kept in the user's cache, until something is
stored or the program, the configuration or the commits are others.
` + exitStatus,
		Example: `  perftrack list
  perftrack list --changed --sort change
  perftrack list --bench '^Sort/' --unit allocs/op
  perftrack list --sort noise            what this machine cannot tell
  perftrack list runs`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			a, err := g.start(cmd, out.check(g.term), view.checkShown())
			if err != nil {
				return err
			}
			opt.Unit = view.unit
			return printOverview(cmd.Context(), a, g.term, &out, opt, view)
		},
	}
	cmd.Flags().StringVar(&opt.Target, "target", "", "only this `target`")
	view.addFlagsForAll(cmd)
	out.addFlag(cmd)
	cmd.AddCommand(newListTargets(g), newListBenchmarks(g), newListRuns(g), newListTrials(g))
	return cmd
}

func newListTargets(g *globals) *cobra.Command {
	var out output
	cmd := &cobra.Command{
		Use:     "targets",
		Short:   "List what `perftrack run` measures here",
		Long:    "List what perftrack run measures here, and where it is configured.\n" + exitStatus,
		Example: "  perftrack list targets",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			a, err := g.start(cmd, out.check(g.term))
			if err != nil {
				return err
			}
			targets, path, err := a.ListTargets(cmd.Context())
			if err != nil {
				return err
			}
			if path == "" {
				path = "found here, no perftrack.toml"
			}
			t := newListing("targets", "target", "kind", "what", "configuration")
			t.extra("configuration")
			t.wraps("what")
			for _, target := range targets {
				what := strings.Join(target.Packages, " ")
				if target.Run != "" {
					what = target.Run
				}
				if target.Kind == config.Engine {
					what = "the built-in inference engine"
				}
				t.add(target.Name, target.Kind, what, path)
			}
			return out.print(g.term, t.report())
		},
	}
	out.addFlag(cmd)
	return cmd
}

func newListBenchmarks(g *globals) *cobra.Command {
	var out output
	var target string
	cmd := &cobra.Command{
		Use:     "benchmarks",
		Short:   "List the benchmarks that have stored samples",
		Long:    "List the benchmarks that have stored samples, with their units and number of runs.\n" + exitStatus,
		Example: "  perftrack list benchmarks --target engine",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return listFrom(g, cmd, &out, nil, func(db *store.DB) (reports.Report, error) {
				filter := store.Filter{Target: target}
				if _, err := soundRuns(cmd.Context(), g, db, filter); err != nil {
					return reports.Report{}, err
				}
				benchmarks, err := db.Benchmarks(cmd.Context(), filter)
				t := newListing("benchmarks", "benchmark", "target", "package", "suite", "units", "#runs")
				t.extra("suite", "package", "units", "target")
				for _, b := range benchmarks {
					t.add(b.Name, b.Target, b.Package, b.Suite, strings.Join(b.Units, " "), b.Runs)
				}
				return t.report(), err
			})
		},
	}
	cmd.Flags().StringVar(&target, "target", "", "only this `target`")
	out.addFlag(cmd)
	return cmd
}

func newListRuns(g *globals) *cobra.Command {
	var out output
	var target string
	var limit int
	cmd := &cobra.Command{
		Use:     "runs",
		Short:   "List the stored runs, newest first",
		Long:    "List the stored runs, newest first. The id, or the start of it, names a run in\ncompare and export.\n" + exitStatus,
		Example: "  perftrack list runs --limit 10",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return listFrom(g, cmd, &out, checkLimit(limit), func(db *store.DB) (reports.Report, error) {
				runs, err := soundRuns(cmd.Context(), g, db, store.Filter{Target: target, Limit: limit, Newest: true})
				t := newListing("runs", "run", "target", "commit", "started", "status", "#benchmarks", "#rounds", "environment", "trial")
				t.extra("environment", "rounds", "benchmarks", "target", "trial")
				for _, r := range runs {
					trial := r.Trial
					if r.Side != record.NoSide {
						trial += " " + sideName(&r.Run)
					}
					t.add(idText(r.ID), r.Target, commitText(r.Commit), startText(&r.Run), string(r.Status), r.Benchmarks, r.Rounds, r.EnvironmentID, trial)
				}
				return t.report(), err
			})
		},
	}
	cmd.Flags().StringVar(&target, "target", "", "only this `target`")
	cmd.Flags().IntVar(&limit, "limit", 0, "at most `n` runs (default all)")
	out.addFlag(cmd)
	return cmd
}

func newListTrials(g *globals) *cobra.Command {
	var out output
	cmd := &cobra.Command{
		Use:     "trials",
		Short:   "List the trials, newest first",
		Long:    "List the trials (runs measured interleaved), newest first. The id names both\nsides in compare.\n" + exitStatus,
		Example: "  perftrack list trials",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return listFrom(g, cmd, &out, nil, func(db *store.DB) (reports.Report, error) {
				if _, err := soundRuns(cmd.Context(), g, db, store.Filter{}); err != nil {
					return reports.Report{}, err
				}
				trials, err := db.Trials(cmd.Context())
				slices.Reverse(trials)
				t := newListing("trials", "trial", "targets", "base", "head", "started", "#runs")
				t.extra("runs", "targets")
				for _, trial := range trials {
					t.add(trialCells(trial)...)
				}
				return t.report(), err
			})
		},
	}
	out.addFlag(cmd)
	return cmd
}

// soundRuns returns the runs but for the damaged ones, which lists of what is in
// them leave out from then on.
func soundRuns(ctx context.Context, g *globals, db *store.DB, filter store.Filter) ([]record.RunInfo, error) {
	infos, err := db.Runs(ctx, filter)
	if err != nil {
		return nil, err
	}
	defer g.term.clearStatus()
	return db.Sound(ctx, infos, g.session.Counting("reading the runs", len(infos)))
}

// listFrom opens the database and prints what list makes of it, unless the
// check of the command's own flags failed.
func listFrom(g *globals, cmd *cobra.Command, out *output, check error, list func(*store.DB) (reports.Report, error)) (err error) {
	a, err := g.start(cmd, out.check(g.term), check)
	if err != nil {
		return err
	}
	db, err := a.OpenForReading(cmd.Context())
	if notYet(a, err) {
		empty := reports.Listing("", reports.Table{})
		empty.Summary, empty.Tone = historyreport.NothingStored, reports.Warn
		return out.print(g.term, empty)
	}
	if err != nil {
		return err
	}
	defer func() {
		if cerr := db.Close(); err == nil {
			err = cerr
		}
	}()
	report, err := list(db)
	if err != nil {
		return err
	}
	return out.print(g.term, report)
}

// notYet reports whether err says that nothing was stored here so far: what there is, is then nothing.
// A database that the user named should be there.
func notYet(a *workspace.Session, err error) bool {
	return errors.Is(err, store.ErrNoDatabase) && a.DB == ""
}

func commitText(c record.Commit) brief {
	if c.SHA == "" {
		return brief{"-", ""}
	}
	text, value := record.ShortHash(c.SHA), c.SHA
	if c.Dirty {
		text, value = text+"+dirty", value+"+dirty"
	}
	return brief{text, value}
}

func timeText(t time.Time) brief {
	if t.IsZero() {
		return brief{"-", ""}
	}
	return brief{t.UTC().Format("2006-01-02 15:04"), t.UTC().Format(time.RFC3339)}
}

// startText is when a run began, or of an import when its report was written.
func startText(r *record.Run) brief {
	if at, ok := r.Generated(); ok && r.Start.IsZero() {
		return timeText(at)
	}
	return timeText(r.Start)
}

func idText(id string) brief { return brief{record.ShortHash(id), id} }

// trialCells are a trial's cells: its targets, and the commit of each side.
func trialCells(t store.Trial) []any {
	var targets []string
	sides := map[record.Side]brief{record.Base: commitText(record.Commit{}), record.Head: commitText(record.Commit{})}
	for _, r := range t.Runs {
		if !slices.Contains(targets, r.Target) {
			targets = append(targets, r.Target)
		}
		sides[r.Side] = commitText(r.Commit)
	}
	return []any{t.ID, strings.Join(targets, " "), sides[record.Base], sides[record.Head], timeText(t.Runs[0].Start), len(t.Runs)}
}
