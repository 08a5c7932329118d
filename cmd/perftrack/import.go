package main

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/console"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/helptext"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/imports"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/when"
	"github.com/perftrack/perftrack/reports"
)

func newImportCommand(g *globals) *cobra.Command {
	var opt imports.Options
	var out console.Output
	var commitTime, history string
	cmd := &cobra.Command{
		Use:   "import [FILE | FOLDER...]",
		Short: "Store results from files or from their git history",
		Long: `Store results from other programs, such as go test -bench, and from perftrack export.

Without a FILE, or with -, import reads stdin. Importing the same results twice adds
nothing. The commit is the one that the file names, or else in --commit.

The history of another tracker, such as data.js of github-action-benchmark, becomes a
run for each commit. So does a FOLDER: asv results, or files named by their commit.

With --git-history, every committed version of a file becomes a run of the commit that
added the version.
` + exitStatus,
		Example: `  go test -bench . -count 10 | perftrack import --commit HEAD
  perftrack import --commit v1.4.0 --target mylib old.txt
  perftrack import --target mylib data.js
  perftrack import --git-history profile-report.md
  perftrack export > all.txt; perftrack --db copy.db import all.txt`,
		RunE: func(cmd *cobra.Command, files []string) error {
			var err error
			opt.Time, err = when.Time("time", commitTime, now())
			err = cmp.Or(helptext.RefuseEmpty(cmd, "time"), err)
			if cmd.Flags().Changed("git-history") {
				files = append([]string{history}, files...)
				return importHistory(g, cmd, &out, files, opt, err)
			}
			if opt.All {
				err = errors.Join(err, errors.New("--all requires --git-history"))
			}
			if len(files) == 0 {
				files = []string{"-"}
				if console.IsTerminal(g.term.Stdin) {
					err = errors.Join(err, errors.New("no file was named, and stdin is a terminal: name a file"))
				}
			}
			a, err := g.start(cmd, out.Check(g.term), err)
			if err != nil {
				return err
			}
			opt.Progress = progressOf(g, "file")
			done, err := imports.StoreFiles(cmd.Context(), a, files, opt)
			return printImport(g, &out, done, err)
		},
	}
	f := cmd.Flags()
	f.StringVar(&opt.From, "from", "", "force this `format` (default: detect it)")
	f.StringVar(&opt.Commit, "commit", "", "measured `revision` or hash")
	f.StringVar(&commitTime, "time", "", "`time` of that commit, if unknown to git: 2026-02-03 or 2026-02-03T02:45:11Z")
	f.StringVar(&opt.Branch, "branch", "", "measured `branch`")
	f.StringVar(&opt.Target, "target", "", "measured `target` (default imported)")
	f.StringVar(&history, "git-history", "", "import every committed version of this `path`, and of the FILEs")
	f.BoolVar(&opt.All, "all", false, "with --git-history: also branches and tags not merged into HEAD")
	out.AddFlag(cmd)
	return cmd
}

func importHistory(g *globals, cmd *cobra.Command, out *console.Output, paths []string, opt imports.Options, check error) error {
	for _, name := range []string{"commit", "time"} {
		if cmd.Flags().Changed(name) {
			check = errors.Join(check, fmt.Errorf("--%s cannot be combined with --git-history, because each version belongs to the commit that added it", name))
		}
	}
	for _, p := range paths {
		switch p {
		case "":
			check = errors.Join(check, errors.New("--git-history is empty: is a variable unset?"))
		case "-":
			check = errors.Join(check, errors.New("stdin has no git history: name a file"))
		}
	}
	a, err := g.start(cmd, out.Check(g.term), check)
	if err != nil {
		return err
	}
	opt.Progress = progressOf(g, "version")
	done, err := imports.StoreHistory(cmd.Context(), a, paths, opt)
	return printImport(g, out, done, err)
}

// progressOf returns a function that shows what is being read, on a terminal.
func progressOf(g *globals, what string) func(n, of int, name string) {
	return func(n, of int, name string) {
		if !g.term.Quiet && g.term.DrawsStatus() {
			g.term.DrawStatus(fmt.Sprintf("%s %d/%d: %s", what, n, of, reports.Message(name)))
		}
	}
}

// printImport prints what was imported before err.
func printImport(g *globals, out *console.Output, done *imports.Outcome, err error) error {
	g.term.ClearStatus()
	if done == nil || len(done.Runs) == 0 {
		return err
	}
	return errors.Join(out.Print(g.term, done.Report()), err)
}
