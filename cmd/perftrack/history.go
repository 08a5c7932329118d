package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/history"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/outputs"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/compare/steps"
	historyreport "github.com/perftrack/perftrack/reports/history"
	"github.com/perftrack/perftrack/reports/plot"
	"github.com/perftrack/perftrack/runner/record"
)

func newHistoryCommand(g *globals) *cobra.Command {
	var opt history.Options
	var out output
	var listed, plain bool
	var since, drawn string
	cmd := &cobra.Command{
		Use:   "history [NAME | --steps]",
		Short: "Show one benchmark over the commits, or how all stand",
		Long: `Show one benchmark over the commits or, without a NAME, how all of them stand.

Without a NAME it lists all benchmarks, a line each: the newest values as a sparkline, and
whether a regression is in force.

With one it shows that benchmark over the commits, oldest first, in the order of the git
history or else by commit time: the median with its 95 % interval, derived units, the
environment, and a sparkline. Where a commit has several runs, the median of theirs is
shown, with an interval that covers all of theirs.

NAME is a benchmark's name as perftrack list benchmarks prints it, or the end of one
if no other ends so. Where several suites, packages or targets have that name, each
is shown in tables of its own. So is each environment: numbers of different machines
or Go versions are never one line. Partial and failed runs, and runs of uncommitted
changes, are left out unless --all; so is total-ns, the sum over all calls that a
profile report prints, unless --unit total-ns.

Lines of development are kept separate as well: first the first-parent line of HEAD,
or of --branch, then what other branches measured. A target that was measured alone on
merged commits, and on fewer than two of that line, has those as its history. A commit that this repository
does not have belongs to the branch that its run was recorded with.

A step is marked where the level changes by at least half of the benchmark's
threshold, for three runs or more. It is listed with the commits between which it
came in: after the last of the old level, up to the first of the new; "now" is how
far the newest level lies from the old one. A single value that is far off is marked
as an outlier, or as a new level where it is too early to tell. Where a line that
rises or falls little by little fits better than steps, it is marked as a drift, with
the number of runs that it spans; it may be the machine's. A regression is in force
until it is accepted, or until a later level is no worse than the one before the
regression; it is listed whatever --limit and --since show. --steps lists those of all
benchmarks, the newest first, and counts the series that have too few runs to tell.

--plot draws what is shown as a picture: a panel for each unit, and in it a line for
each environment with its intervals, steps and outliers, and hollow points where a
run was carried over. An .svg takes the colours of the reader's theme.

With --anchor REV, values are ratios to that revision, the baseline, for the runs that
were measured beside a build of it (perftrack run --anchor REV, or --against): 1.05
is 5 % more than the baseline, and what the machine did to both cancels out. The
value of a run is the median over its rounds of head over baseline in the same round,
with its 95 % interval. Runs that differ only in the machine's label or frequency
governor are one line then; other processors, numbers of threads or Go versions have
lines of their own, because the ratio differs there, too. B/op and allocs/op do not
depend on the machine and have no ratio.
` + exitStatus,
		Example: `  perftrack history                        what there is, and how it stands
  perftrack history MatMul_512x512
  perftrack history --all --limit 20 GELU_1000
  perftrack history --branch main --since 2026-01-01 GELU_1000
  perftrack history --unit B/op --suite enhanced MatMul_512x512
  perftrack history --format csv MatMul_512x512 > matmul.csv
  perftrack history --plot matmul.svg MatMul_512x512
  perftrack history --anchor v1.4.0 GELU_1000
  perftrack history --steps`,
		Args: func(cmd *cobra.Command, args []string) error {
			if listed {
				return cobra.NoArgs(cmd, args)
			}
			return cobra.MaximumNArgs(1)(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			var err error
			opt.Since, err = parseWhen(cmd.Context(), "since", since)
			format, plotErr := parsePlot(drawn, listed, cmd.Flags().Changed("plot"))
			var ofOne error
			if len(args) == 0 && !listed {
				ofOne = checkOverview(cmd)
			}
			a, err := g.start(cmd, out.check(g.term), refuseEmpty(cmd, "since", "branch", "unit"), checkLimit(opt.Limit), checkStepFlags(listed, opt), checkAnchor(cmd, opt), plotErr, err, ofOne)
			if err != nil {
				return err
			}
			picture, err := preparePlot(format, drawn, g.term.files, args)
			if err != nil {
				return err
			}
			if listed {
				all, err := history.Regressions(cmd.Context(), a, opt, a.CacheFile(cmd.Context(), ".steps"))
				if err != nil {
					return err
				}
				g.term.clearStatus()
				return out.paged(cmd.Context(), g.term, historyreport.Regressions(all), plain)
			}
			if len(args) == 0 {
				return printOverview(cmd.Context(), a, g.term, &out, opt, viewFlags{})
			}
			h, err := history.Read(cmd.Context(), a, args[0], opt)
			if err != nil {
				return err
			}
			if h.Hidden > 0 {
				g.term.notice(fmt.Sprintf("%d partial, failed or uncommitted runs are not shown: see --all", h.Hidden))
			}
			if h.Dates > 0 {
				g.term.notice(fmt.Sprintf("%d runs are not shown, because nothing tells when their commits were made: see them without --since", h.Dates))
			}
			for _, file := range picture {
				if err := draw(file, h.Series); err != nil {
					return err
				}
			}
			r := historyreport.Report(h.Anchor, h.Series...)
			return out.paged(cmd.Context(), g.term, historyreport.WithCommits(r, aboutCommits(cmd.Context(), a, h.Series)), plain)
		},
	}
	f := cmd.Flags()
	f.BoolVar(&listed, "steps", false, "list the regressions of all benchmarks that are still in force")
	f.StringVar(&opt.Target, "target", "", "only this `target`")
	f.StringVar(&opt.Suite, "suite", "", "only this `suite`")
	f.StringVar(&opt.Unit, "unit", "", "only this `unit`: ns/op, or sec/op as it is shown")
	f.StringVar(&opt.Environment, "env", "", "only this `environment`, by its id")
	f.StringVar(&opt.Branch, "branch", "", "only the line of this `branch` (default that of HEAD, then the others)")
	f.StringVar(&opt.Anchor, "anchor", "", "ratios to this baseline `revision`, of the runs measured beside it")
	f.StringVar(&since, "since", "", "only commits, or steps to them, from this `time` on: 2026-02-03, 90d, 2w, yesterday, \"3 days ago\"")
	f.BoolVar(&opt.All, "all", false, "also partial, failed and uncommitted runs")
	f.IntVar(&opt.Limit, "limit", 0, "only the newest `n` commits (default all)")
	f.BoolVar(&plain, "no-pager", false, "on a terminal, do not page the text as git does (GIT_PAGER, core.pager, PAGER)")
	f.StringVar(&drawn, "plot", "", "also draw it as a picture: a `file` that ends in .svg or .png")
	out.addFlag(cmd)
	return cmd
}

// parsePlot returns the format of the picture that --plot names, "" without it.
func parsePlot(file string, listed, given bool) (format string, err error) {
	format = strings.ToLower(strings.TrimPrefix(filepath.Ext(file), "."))
	switch {
	case !given:
		return "", nil
	case listed:
		return "", errors.New("--plot does not go with --steps: it draws one benchmark")
	case format != "svg" && format != "png":
		return "", fmt.Errorf("--plot %q ends neither in .svg nor in .png", file)
	}
	return format, nil
}

// preparePlot makes sure that the picture can be written, and takes away an older one.
func preparePlot(format, path string, others []outputs.File, args []string) ([]outputs.File, error) {
	if format == "" {
		return nil, nil
	}
	file, err := outputs.Named("--plot", format, path, others, args)
	if err != nil {
		return nil, err
	}
	return []outputs.File{file}, outputs.Prepare([]outputs.File{file})
}

// draw writes the picture of a history.
func draw(file outputs.File, all []steps.Series) (err error) {
	figure := plot.New(all...)
	text := figure.SVG()
	if file.Format == "png" {
		if text, err = figure.PNG(); err != nil {
			return err
		}
	}
	return file.Write(text)
}

// checkStepFlags refuses what the list of regressions has no use for.
func checkStepFlags(steps bool, opt history.Options) error {
	switch {
	case steps && opt.All:
		return errors.New("--all does not go with --steps: partial, failed and uncommitted runs make no steps")
	case steps && opt.Limit != 0:
		return errors.New("--limit does not go with --steps: see --since")
	}
	return nil
}

func checkAnchor(cmd *cobra.Command, opt history.Options) error {
	switch {
	case cmd.Flags().Changed("anchor") && opt.Anchor == "":
		return errors.New("--anchor is empty: is a variable not set?")
	case opt.Anchor != "" && (opt.Unit == "B/op" || opt.Unit == "allocs/op"):
		return fmt.Errorf("%s does not depend on the machine and has no ratio: leave out --anchor", opt.Unit)
	}
	return nil
}

func checkLimit(n int) error {
	if n < 0 {
		return fmt.Errorf("--limit %d is negative", n)
	}
	return nil
}

// aboutCommits describes the commits of histories that the repository here has: by their short
// hash, who made it and what for.
func aboutCommits(ctx context.Context, a *workspace.Session, all []steps.Series) func(short string) (author, subject string) {
	var runs []*record.Run
	for _, s := range all {
		for _, p := range s.Points {
			runs = append(runs, &record.Run{Commit: p.Run.Commit})
		}
		for _, l := range s.Lines {
			for _, step := range l.Steps {
				runs = append(runs, &record.Run{Commit: record.Commit{SHA: step.Last.Commit}}, &record.Run{Commit: record.Commit{SHA: step.First.Commit}})
			}
		}
	}
	known := map[string]commitWords{}
	for sha, words := range commitsKnown(ctx, a, runs) {
		known[record.ShortHash(sha)] = words
	}
	return func(short string) (author, subject string) { return known[short].author, known[short].subject }
}
