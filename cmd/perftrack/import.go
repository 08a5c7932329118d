package main

import (
	"cmp"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/imports"
	"github.com/perftrack/perftrack/reports"
)

func newImportCommand(g *globals) *cobra.Command {
	var opt imports.Options
	var out output
	var commitTime, history string
	cmd := &cobra.Command{
		Use:   "import [FILE...]",
		Short: "Store results from files, or from a file's git history",
		Long: `Store results of other programs, such as go test -bench, and of perftrack export.

Without a FILE, or with -, read stdin. Importing the same results twice adds nothing.
Runs that were deleted (see perftrack sync --prune) stay deleted: they are named and not
stored.

A file's own commit:, commit-time: and branch: lines name its commit; --commit
does where there are none. A file with a line that cannot be read is not stored
at all; the message names file and line.

With --git-history, import what the commits up to HEAD wrote into a file of a git
repository, each version as a run of the commit that wrote it: also on merged
branches, under earlier names of the file, and if it no longer exists. The same bytes
again are no new measurement: a file that was only moved, copied or restored is
imported once, for the first commit that has it. PATH may also be a folder, or a
pattern such as '**/*-report.md', in quotes; a file that is in no known format, or
only quotes results among other text, is then passed over. A version with a line that
cannot be read is left out and named, the others are stored, and perftrack exits 2.
Versions that only unmerged branches have are left out, and counted, unless --all is
given.
` + exitStatus,
		Example: `  go test -bench . -count 10 | perftrack import --commit HEAD
  perftrack import --commit v1.4.0 --target mylib old.txt
  perftrack import --git-history profile-report.md
  perftrack export > all.txt; perftrack --db copy.db import all.txt`,
		RunE: func(cmd *cobra.Command, files []string) error {
			var err error
			opt.Time, err = parseWhen(cmd.Context(), "time", commitTime)
			err = cmp.Or(refuseEmpty(cmd, "time"), err)
			if cmd.Flags().Changed("git-history") {
				files = append([]string{history}, files...)
				return importHistory(g, cmd, &out, files, opt, err)
			}
			if opt.All {
				err = errors.Join(err, errors.New("--all goes only with --git-history"))
			}
			if len(files) == 0 {
				files = []string{"-"}
				if isTerminal(g.term.stdin) {
					err = errors.Join(err, errors.New("no file, and stdin is a terminal"))
				}
			}
			a, err := g.start(cmd, out.check(g.term), err)
			if err != nil {
				return err
			}
			done, err := imports.StoreFiles(cmd.Context(), a, files, opt)
			if len(done) > 0 {
				err = errors.Join(out.print(g.term, importedReport(done)), err)
			}
			return err
		},
	}
	f := cmd.Flags()
	f.StringVar(&opt.From, "from", "", "force this `format` (default: detect it)")
	f.StringVar(&opt.Commit, "commit", "", "`revision` or hash that was measured")
	f.StringVar(&commitTime, "time", "", "`time` of that commit, where git does not know it: 2026-02-03 or 2026-02-03T02:45:11Z")
	f.StringVar(&opt.Branch, "branch", "", "`branch` that was measured")
	f.StringVar(&opt.Target, "target", "", "`target` that was measured (default imported)")
	f.StringVar(&history, "git-history", "", "import every committed version of this `path`, and of the FILEs")
	f.BoolVar(&opt.All, "all", false, "with --git-history: also of branches and tags that HEAD does not reach")
	out.addFlag(cmd)
	return cmd
}

func importHistory(g *globals, cmd *cobra.Command, out *output, paths []string, opt imports.Options, check error) error {
	for _, name := range []string{"commit", "time"} {
		if cmd.Flags().Changed(name) {
			check = errors.Join(check, fmt.Errorf("--%s does not go with --git-history: each version is of the commit that wrote it", name))
		}
	}
	for _, p := range paths {
		switch p {
		case "":
			check = errors.Join(check, errors.New("--git-history is empty: is a variable not set?"))
		case "-":
			check = errors.Join(check, errors.New("stdin has no git history: name a file"))
		}
	}
	a, err := g.start(cmd, out.check(g.term), check)
	if err != nil {
		return err
	}
	opt.Progress = func(n, of int, what string) {
		if !g.term.quiet && g.term.drawsStatus() {
			g.term.drawStatus(fmt.Sprintf("version %d/%d: %s", n, of, reports.Message(what)))
		}
	}
	done, err := imports.StoreHistory(cmd.Context(), a, paths, opt)
	g.term.clearStatus()
	if len(done) > 0 {
		r := importedReport(done)
		r.Summary = historySummary(done)
		err = errors.Join(out.print(g.term, r), err)
	}
	return err
}

// historySummary says in one line what an import of a history brought.
func historySummary(done []imports.Result) string {
	added, deleted := 0, 0
	for _, d := range done {
		switch {
		case d.Added:
			added++
		case d.Deleted != nil:
			deleted++
		}
	}
	text := fmt.Sprintf("%d added, %d already present", added, len(done)-added-deleted)
	if deleted > 0 {
		text += fmt.Sprintf(", %d deleted earlier", deleted)
	}
	return text
}

func importedReport(done []imports.Result) reports.Report {
	t := newListing("imported", "file", "run", "target", "commit", "#benchmarks", "#rounds", "stored")
	t.extra("rounds", "benchmarks", "target")
	for _, d := range done {
		state := "already present"
		switch {
		case d.Added:
			state = "added"
		case d.Deleted != nil:
			state = "deleted " + d.Deleted.Time.Format(time.DateOnly)
		}
		t.add(d.File, idText(d.ID), d.Target, commitText(d.Commit), d.Benchmarks, d.Rounds, state)
	}
	return t.report()
}
