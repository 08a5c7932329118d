package main

import (
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/perftrack/perftrack/cmd/perftrack/app"
	"github.com/perftrack/perftrack/reports"
)

func newImportCommand(g *globals) *cobra.Command {
	var opt app.ImportOptions
	var out output
	var commitTime string
	cmd := &cobra.Command{
		Use:   "import [FILE...]",
		Short: "Store results from files in the Go benchmark format",
		Long: `Store results that go test -bench, another program, or perftrack export wrote.
Without a FILE, or with -, read stdin. Importing the same results twice adds nothing.

A file's own commit:, commit-time: and branch: lines name its commit; --commit
does where there are none. A file with a line that cannot be read is not stored
at all; the message names file and line.
` + exitStatus,
		Example: `  go test -bench . -count 10 | perftrack import --commit HEAD
  perftrack import --commit v1.4.0 --target mylib old.txt
  perftrack export > all.txt; perftrack --db copy.db import all.txt`,
		RunE: func(cmd *cobra.Command, files []string) error {
			var err error
			opt.Time, err = parseTime(commitTime)
			if len(files) == 0 {
				files = []string{"-"}
				if isTerminal(g.term.stdin) {
					err = errors.Join(err, errors.New("no file, and stdin is a terminal"))
				}
			}
			a, err := g.app(cmd, out.check(g.term), err)
			if err != nil {
				return err
			}
			done, err := a.Import(cmd.Context(), files, opt)
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
	out.addFlag(cmd)
	return cmd
}

func parseTime(s string) (time.Time, error) {
	if s == "" {
		return time.Time{}, nil
	}
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05", time.DateTime, time.DateOnly} {
		if t, err := time.Parse(layout, s); err == nil {
			return t, nil
		}
	}
	return time.Time{}, fmt.Errorf("--time %q is not a time such as 2026-02-03 or 2026-02-03T02:45:11Z", s)
}

func importedReport(done []app.Imported) reports.Report {
	t := newListing("imported", "file", "run", "target", "commit", "#benchmarks", "#rounds", "stored")
	for _, d := range done {
		state := "added"
		if !d.Added {
			state = "already present"
		}
		t.add(d.File, idText(d.ID), d.Target, commitText(d.Commit), len(d.Benchmarks), d.Rounds(), state)
	}
	return t.report()
}
