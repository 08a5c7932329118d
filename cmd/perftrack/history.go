package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/console"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/helptext"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/history"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/outputs"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/viewing"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/when"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/compare/steps"
	historyreport "github.com/perftrack/perftrack/reports/history"
	"github.com/perftrack/perftrack/reports/plot"
	"github.com/perftrack/perftrack/runner/record"
)

func newHistoryCommand(g *globals) *cobra.Command {
	var opt history.Options
	var out console.Output
	var listed, plain bool
	var since, drawn string
	cmd := &cobra.Command{
		Use:   "history [NAME | --steps]",
		Short: "Show one benchmark over the commits, or the state of all",
		Long: `Show one benchmark over the commits or, without a NAME, the state of all.

NAME is a name from perftrack list benchmarks, or the end of one. Each environment and each
line of development has a table of its own. A step is marked if the level changes by half
the benchmark's threshold for three runs or more; a regression is unresolved until it is
accepted or the level recovers.
` + exitStatus,
		Example: `  perftrack history                        all benchmarks
  perftrack history MatMul_512x512
  perftrack history --steps                all unresolved regressions
  perftrack history --branch main --since 90d GELU_1000
  perftrack history --plot matmul.svg MatMul_512x512
  perftrack history --anchor v1.4.0 GELU_1000`,
		Args: func(cmd *cobra.Command, args []string) error {
			if listed {
				return cobra.NoArgs(cmd, args)
			}
			return cobra.MaximumNArgs(1)(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			var err error
			opt.Since, err = when.Time("since", since, now())
			format, plotErr := parsePlot(drawn, listed, cmd.Flags().Changed("plot"))
			var ofOne error
			if len(args) == 0 && !listed {
				ofOne = checkOverview(cmd)
			}
			a, err := g.start(cmd, out.Check(g.term), helptext.RefuseEmpty(cmd, "since", "branch", "unit"), checkLimit(opt.Limit), checkStepFlags(listed, opt), checkAnchor(cmd, opt), plotErr, err, ofOne)
			if err != nil {
				return err
			}
			picture, err := preparePlot(format, drawn, g.term.Files, args)
			if err != nil {
				return err
			}
			if listed {
				all, err := history.Regressions(cmd.Context(), a, opt, a.CacheFile(cmd.Context(), ".steps"))
				if err != nil {
					return err
				}
				g.term.ClearStatus()
				return out.Paged(cmd.Context(), g.term, historyreport.Regressions(all), plain)
			}
			if len(args) == 0 {
				return printOverview(cmd.Context(), a, g.term, &out, opt, viewing.Flags{})
			}
			h, err := history.Read(cmd.Context(), a, args[0], opt)
			if err != nil {
				return err
			}
			if h.Hidden > 0 {
				g.term.Notice(fmt.Sprintf("%d partial, failed or uncommitted runs are hidden: show them with --all", h.Hidden))
			}
			if h.Dates > 0 {
				g.term.Notice(fmt.Sprintf("%d runs are hidden because their commits have no date: show them without --since", h.Dates))
			}
			for _, file := range picture {
				if err := draw(file, h.Series); err != nil {
					return err
				}
			}
			r := historyreport.Report(h.Anchor, h.Series...)
			return out.Paged(cmd.Context(), g.term, historyreport.WithCommits(r, aboutCommits(cmd.Context(), a, h.Series)), plain)
		},
	}
	f := cmd.Flags()
	f.BoolVar(&listed, "steps", false, "list the unresolved regressions of all benchmarks")
	f.StringVar(&opt.Target, "target", "", "only this `target`")
	f.StringVar(&opt.Suite, "suite", "", "only this `suite`")
	f.StringVar(&opt.Unit, "unit", "", "only this `unit`: ns/op, or sec/op as shown")
	f.StringVar(&opt.Environment, "env", "", "only this `environment`, by its id")
	f.StringVar(&opt.Branch, "branch", "", "only the line of this `branch` (default HEAD's, then the others)")
	f.StringVar(&opt.Anchor, "anchor", "", "ratios to this baseline `revision`, for runs measured together with it")
	f.StringVar(&since, "since", "", "only commits, or steps, since this `time`: 2026-02-03, 90d, 2w, yesterday, \"3 days ago\"")
	f.BoolVar(&opt.All, "all", false, "also partial, failed and uncommitted runs")
	f.IntVar(&opt.Limit, "limit", 0, "only the newest `n` commits (default all)")
	f.BoolVar(&plain, "no-pager", false, "do not use a pager on a terminal")
	f.StringVar(&drawn, "plot", "", "also draw a picture into this `file`, .svg or .png")
	out.AddFlag(cmd)
	return cmd
}

// parsePlot returns the image format for the file given to --plot, or "" if the flag is not given.
func parsePlot(file string, listed, given bool) (format string, err error) {
	format = strings.ToLower(strings.TrimPrefix(filepath.Ext(file), "."))
	switch {
	case !given:
		return "", nil
	case listed:
		return "", errors.New("--plot cannot be combined with --steps, because it draws one benchmark")
	case format != "svg" && format != "png":
		return "", fmt.Errorf("--plot %q must end in .svg or .png", file)
	}
	return format, nil
}

// preparePlot removes an existing image and checks that a new one can be written in its place.
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

// draw plots the series in all and writes the image to file.
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

// checkStepFlags returns an error for flags that have no meaning with --steps.
func checkStepFlags(steps bool, opt history.Options) error {
	switch {
	case steps && opt.All:
		return errors.New("--all cannot be combined with --steps, because partial, failed and uncommitted runs do not count for steps")
	case steps && opt.Limit != 0:
		return errors.New("--limit cannot be combined with --steps: use --since")
	}
	return nil
}

func checkAnchor(cmd *cobra.Command, opt history.Options) error {
	switch {
	case cmd.Flags().Changed("anchor") && opt.Anchor == "":
		return errors.New("--anchor is empty: is a variable unset?")
	case opt.Anchor != "" && (opt.Unit == "B/op" || opt.Unit == "allocs/op"):
		return fmt.Errorf("%s does not depend on the machine and has no ratio: remove --anchor", opt.Unit)
	}
	return nil
}

func checkLimit(n int) error {
	if n < 0 {
		return fmt.Errorf("--limit %d is negative", n)
	}
	return nil
}

// aboutCommits returns a function that looks up the author and subject of a commit by its short
// hash. Both are "" if this repository lacks the commit.
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
	known := map[string]viewing.CommitWords{}
	for sha, words := range viewing.Commits(ctx, a, runs) {
		known[record.ShortHash(sha)] = words
	}
	return func(short string) (author, subject string) { return known[short].Author, known[short].Subject }
}
