package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/setup"
	"github.com/perftrack/perftrack/reports"
)

func newInitCommand(g *globals) *cobra.Command {
	var out output
	var action string
	cmd := &cobra.Command{
		Use:   "init",
		Short: "Write the workflows and a perftrack.toml for this repository",
		Long: `Look for Go modules with benchmarks in this repository, and write what it needs to
have every pull request measured on GitHub: perftrack.toml and three workflows in
.github/workflows. A file that is there already is left as it is. What was found and
written is listed on stdout, what to do next on stderr.

The workflows pin the action to a commit: the published one that this perftrack was
made for, unless --action names another.
` + exitStatus,
		Example: `  perftrack init
  perftrack init --action 0123456789abcdef0123456789abcdef01234567`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			a, err := g.start(cmd, out.check(g.term))
			if err != nil {
				return err
			}
			res, err := setup.Initialize(cmd.Context(), a, action)
			if err != nil {
				return err
			}
			t := reports.Table{Columns: []reports.Column{{Title: "what"}, {Title: "path", Code: true}, {Title: "remark"}}}
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
			if next := afterInit(res, written); next != "" {
				g.term.notice("next: " + next)
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&action, "action", "", "pin this `commit` of the action (40 hex digits)")
	out.addFlag(cmd)
	return cmd
}

// afterInit says what to do next, "" for nothing.
func afterInit(res setup.Result, written bool) string {
	const again = "move perftrack.toml away and run `perftrack init` again, or write a target into perftrack.toml"
	command := res.WorkCommand()
	switch {
	case res.Measured && written:
		return "try `perftrack check` on a branch, commit these files to " + res.Branch +
			", and require the status perftrack for it (Settings, Branches): see docs/github.md of perftrack"
	case res.Measured:
		return ""
	case len(res.Modules) == 0:
		return "write a target into perftrack.toml: no Go benchmarks found, until then there is nothing to measure"
	case command != "":
		return "the benchmarks found are not covered: run `" + command + "`, commit go.work, " + again
	}
	return "perftrack.toml has no target: " + again
}
