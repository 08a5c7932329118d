package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/console"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/helptext"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/setup"
	"github.com/perftrack/perftrack/reports"
)

func newInitCommand(g *globals) *cobra.Command {
	var out console.Output
	var opt setup.Options
	var ci string
	cmd := &cobra.Command{
		Use:   "init",
		Short: "Set up perftrack in a repository and its CI",
		Long: `Set up this repository so that CI measures its pull or merge requests.

init writes perftrack.toml for the benchmarks it finds: in Go modules, and those of
google-benchmark, Criterion, divan, pytest-benchmark, Vitest, tinybench, mitata and
hyperfine (perftrack help languages). It also writes jobs for

  github   workflows in .github/workflows
  gitlab   .gitlab/perftrack.yml, and a .gitlab-ci.yml if there is none
  forgejo  .forgejo/workflows/perftrack.yml
  generic  perftrack-ci.sh for any other CI

It never overwrites a file. See perftrack help github and perftrack help forges.
` + exitStatus,
		Example: `  perftrack init
  perftrack init --ci gitlab
  perftrack init --on label
  perftrack init --shards 4
  perftrack init --pages`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			a, err := g.start(cmd, out.Check(g.term), helptext.RefuseEmpty(cmd, "ci"), setup.CheckShards(opt.Shards))
			if err != nil {
				return err
			}
			opt.CI = setup.CI(ci)
			res, err := setup.Initialize(cmd.Context(), a, opt)
			if err != nil {
				return err
			}
			t := reports.Table{Columns: []reports.Column{{Title: "what"}, {Title: "path", Code: true, Whole: true}, {Title: "remark", Wraps: true}}}
			add := func(what, path, remark string) {
				t.Rows = append(t.Rows, []reports.Cell{{Text: what}, {Text: path}, {Text: remark}})
			}
			for _, m := range res.Modules {
				remark := fmt.Sprintf("%s in %s", reports.Plural(m.Benchmarks, "benchmark"), reports.Plural(m.Packages, "package"))
				switch {
				case !m.Covered && res.Workspace:
					remark += ", not covered because go.work does not use it"
				case !m.Covered:
					remark += ", not covered because it is a separate module and there is no go.work"
				}
				add("found", m.Dir, remark)
			}
			for _, f := range res.Harnesses {
				remark := "benchmarks with " + f.Framework
				if f.Benchmarks > 0 {
					remark = reports.Plural(f.Benchmarks, "benchmark") + " with " + f.Framework
				}
				if f.Unfinished != "" {
					remark += ", a target to finish"
				}
				add("found", f.Path, remark)
			}
			written := false
			for _, f := range res.Files {
				if f.Written {
					written = true
					add("wrote", f.Path, "")
				} else {
					add("kept", f.Path, "exists")
				}
			}
			if err := out.Print(g.term, reports.Listing("", t)); err != nil {
				return err
			}
			if assumed := res.Assumed(); assumed != "" {
				g.term.Notice(assumed)
			}
			if mismatch := res.OtherwiseOn(); mismatch != "" {
				g.term.Notice(mismatch)
			}
			if kept := res.KeptUndivided(); kept != "" {
				g.term.Notice(kept)
			}
			if next := res.NextStep(written); next != "" {
				g.term.Notice("next: " + next)
			}
			if needs := res.Install(written); needs != "" {
				g.term.Notice("let the jobs of your CI install what the targets need, before they measure: " + needs)
			}
			if next := res.AfterPages(); next != "" {
				g.term.Notice("to publish the page: " + next)
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&opt.On, "on", setup.When[0], "on GitHub, what starts measuring a pull request: push, label or comment")
	cmd.Flags().IntVar(&opt.Shards, "shards", 1, "on GitHub, divide the benchmarks of a pull request among `n` jobs")
	cmd.Flags().BoolVar(&opt.Pages, "pages", false, "on GitHub, publish the history page")
	cmd.Flags().StringVar(&opt.Action, "action", "", "pin this `commit` of the action or of perftrack (40 hex digits)")
	cmd.Flags().StringVar(&ci, "ci", "", "write the jobs for this `CI`: github, gitlab, forgejo or generic (default by the remote or existing files)")
	out.AddFlag(cmd)
	return cmd
}
