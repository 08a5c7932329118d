package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/setup"
	"github.com/perftrack/perftrack/reports"
)

func newInitCommand(g *globals) *cobra.Command {
	var out output
	var opt setup.Options
	var ci string
	cmd := &cobra.Command{
		Use:   "init",
		Short: "Set up a repository to have its pull requests measured",
		Long: `Set this repository up to have its pull or merge requests measured.

It looks for Go modules with benchmarks and writes perftrack.toml (where no go.work
covers those it finds, it writes nothing and exits 2), and for

  github   workflows in .github/workflows: three; --on comment, --pages add one
  gitlab   .gitlab/perftrack.yml, and if there is none a .gitlab-ci.yml
  forgejo  .forgejo/workflows/perftrack.yml
  generic  perftrack-ci.sh, for any CI that can run a shell script

The CI is told by the host of the remote, or by the files of one that are there; --ci
names it. perftrack help forges says what the result of each proves. A file that is there
already is left as it is. What was found and written is listed on stdout, what to do
next on stderr.

On GitHub, with --on label a pull request is measured while it has the label
perf-measure, and with --on comment also when somebody who may push writes /perftrack;
the status of the others says that they were not measured, and does not block.
perftrack.toml of the default branch has to say the same: on = "label" or
on = "comment" in [defaults].

With --shards 4 four jobs measure a part of the benchmarks each, at the same time, for
a suite that takes too long for one. One comment and one status say the result of all.

With --pages, a job publishes the page of the history on GitHub Pages whenever the
history has grown, and comments link to it: site = "https://..." in [defaults].

The files pin perftrack to a commit: the published one that this perftrack was made
for, unless --action names another.
` + exitStatus,
		Example: `  perftrack init
  perftrack init --ci gitlab
  perftrack init --on label
  perftrack init --shards 4
  perftrack init --pages
  perftrack init --action 0123456789abcdef0123456789abcdef01234567`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			a, err := g.start(cmd, out.check(g.term), refuseEmpty(cmd, "ci"), setup.CheckShards(opt.Shards))
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
					remark += ", not covered: go.work does not use it"
				case !m.Covered:
					remark += ", not covered: a module of its own and no go.work"
				}
				add("found", m.Dir, remark)
			}
			written := false
			for _, f := range res.Files {
				if f.Written {
					written = true
					add("wrote", f.Path, "")
				} else {
					add("kept", f.Path, "was there already")
				}
			}
			if err := out.print(g.term, reports.Listing("", t)); err != nil {
				return err
			}
			if mismatch := otherwiseOn(res); mismatch != "" {
				g.term.notice(mismatch)
			}
			if kept := keptUndivided(res); kept != "" {
				g.term.notice(kept)
			}
			if next := afterInit(res, written); next != "" {
				g.term.notice("next: " + next)
			}
			if next := res.AfterPages(); next != "" {
				g.term.notice("for the page: " + next)
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&opt.On, "on", setup.When[0], "on GitHub, measure pull requests on each push, a label or a comment: push, label or comment")
	cmd.Flags().IntVar(&opt.Shards, "shards", 1, "on GitHub, measure each pull request in `n` jobs, a part of the benchmarks each")
	cmd.Flags().BoolVar(&opt.Pages, "pages", false, "on GitHub, publish the page of the history whenever it has grown")
	cmd.Flags().StringVar(&opt.Action, "action", "", "pin this `commit` of the action, or of perftrack (40 hex digits)")
	cmd.Flags().StringVar(&ci, "ci", "", "write the jobs of this `CI`: github, gitlab, forgejo or generic (default what the remote or the files say)")
	out.addFlag(cmd)
	return cmd
}

// otherwiseOn says that the perftrack.toml that was there asks for more to be measured than the
// workflow that was written does, "" where it does not.
func otherwiseOn(res setup.Result) string {
	for _, f := range res.Files {
		if f.Written && strings.HasSuffix(f.Path, "perftrack-measure.yml") && res.KeptOn != "" && res.KeptOn != res.On {
			return fmt.Sprintf("perftrack.toml was there already and has on = %q: write on = %q into its [defaults], or what is not measured stays blocked", res.KeptOn, res.On)
		}
	}
	return ""
}

// keptUndivided says which workflow stays without the parts that were asked for, "" if none does.
func keptUndivided(res setup.Result) string {
	for _, f := range res.Files {
		if !f.Written && res.Shards > 1 && (strings.HasSuffix(f.Path, "perftrack-measure.yml") || strings.HasSuffix(f.Path, "perftrack-demand.yml")) {
			return fmt.Sprintf("%s was there already and stays as it is, without parts: move it away and run `perftrack init --shards %d` again", f.Path, res.Shards)
		}
	}
	return ""
}

// afterInit says what to do next, "" for nothing.
func afterInit(res setup.Result, written bool) string {
	const again = "move perftrack.toml away and run `perftrack init` again, or write a target into perftrack.toml"
	command := res.WorkCommand()
	switch {
	case res.Measured && (written || res.CI == setup.GitLab && !res.Included):
		return "commit these files to " + res.Branch + ", without which the history takes no run of the work tree, try `perftrack check` on a branch, and " + res.Next()
	case res.Measured:
		return ""
	case len(res.Modules) == 0 && res.Make != "":
		return fmt.Sprintf("%s found in no module, which the go command does not build: run `%s`, commit go.mod, %s", reports.Plural(res.Loose, "benchmark"), res.Make, again)
	case len(res.Modules) == 0:
		return "no Go benchmarks were found, so that there is nothing to measure: write a target into perftrack.toml"
	case command != "":
		return "the benchmarks found are not covered: run `" + command + "`, commit go.work, " + again
	}
	return "perftrack.toml has no target: " + again
}
