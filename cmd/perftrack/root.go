package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/buildinfo"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/completion"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/console"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/database"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/helptext"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/measure"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/measure/measureflags"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
)

// exitStatus is the last paragraph in the help of most commands, and gateStatus in the help of
// commands with a gate.
const (
	exitStatus = helptext.ExitStatus
	gateStatus = `
Exit status: 0 success; 1 a regression or a missed limit (check, and with --gate); 2 error;
3 inconclusive or lost coverage (only with --strict); 130 interrupted.`
)

// globals holds the values that all commands share.
type globals struct {
	term    *console.Console
	session *workspace.Session // set from flags and completed by start
	flags   measure.Flags      // set by the flags of package measureflags
}

func (g *globals) values() measureflags.Values {
	return measureflags.Values{Flags: &g.flags, Session: g.session}
}

func newRootCommand(t *console.Console) *cobra.Command {
	g := &globals{term: t, session: &workspace.Session{}}
	root := &cobra.Command{
		Use:   "perftrack",
		Short: "Track performance by git commit and find regressions",
		Long: `perftrack measures benchmarks, stores every sample by git commit, and finds regressions
with few false alarms.
` + gateStatus,
		Example: `  perftrack run                   measure the benchmarks here
  perftrack check                 did this branch make anything slower?
  perftrack compare main feature  compare stored results
  perftrack history               the state of all benchmarks
  perftrack history Sort/n=10     one benchmark over the commits`,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.NoArgs,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	flags := root.PersistentFlags()
	flags.StringVar(&g.session.DB, "db", "", "database `file` or postgres:// URL (default .perftrack/perftrack.db of the repository, else one per module; env PERFTRACK_DB)")
	flags.StringVar(&t.Color, "color", "auto", "colours: auto, always or never")
	flags.BoolVarP(&t.Quiet, "quiet", "q", false, "print no progress or notices to stderr")
	root.CompletionOptions.DisableDefaultCmd = true
	root.Version = buildinfo.Version()
	root.Flags().BoolP("version", "v", false, "print the version")
	root.SetVersionTemplate(buildinfo.Line())
	for _, group := range commandGroups(g) {
		root.AddGroup(&cobra.Group{ID: group.title, Title: group.title + ":"})
		for _, cmd := range group.commands {
			cmd.GroupID = group.title
			if cmd.Name() == "help" {
				root.SetHelpCommand(cmd)
			}
			root.AddCommand(cmd)
		}
	}
	for _, cmd := range ciCommands(g) { // these commands existed before perftrack ci, so they also work without it
		cmd.Hidden = true
		root.AddCommand(cmd)
	}
	root.SetHelpFunc(func(c *cobra.Command, _ []string) {
		fmt.Fprint(c.OutOrStdout(), helptext.Usage(c, t.Style(), false)+helptext.SeePage(c))
	})
	measureflags.Add(root, g.values())
	helptext.MarkAdvanced(root)
	completion.Completer{Session: g.session, Now: now, Within: completeWithin}.Add(root)
	helptext.NameErrors(root)
	return root
}

// A commandGroup is a titled group in the list of commands.
type commandGroup struct {
	title    string
	commands []*cobra.Command
}

// commandGroups returns all commands, with the most used ones of each group first.
func commandGroups(g *globals) []commandGroup {
	return []commandGroup{
		{"Measure", []*cobra.Command{newRunCommand(g), newCheckCommand(g)}},
		{"Understand", []*cobra.Command{newCompareCommand(g), newHistoryCommand(g), newExplainCommand(g), newBisectCommand(g), newProfileCommand(g)}},
		{"Publish", []*cobra.Command{newReportCommand(g), newServeCommand(g)}},
		{"Set up and maintain", []*cobra.Command{newVetCommand(g), newInitCommand(g), newImportCommand(g), newExportCommand(g), newSyncCommand(g), newDoctorCommand(g)}},
		{helptext.OtherCommands, []*cobra.Command{newListCommand(g), newBackfillCommand(g), newCalibrateCommand(g), newLimitsCommand(g), newFormatsCommand(g), database.Command(database.Program{Term: g.term, Start: g.start, List: g.list}), newCICommand(g), newMCPCommand(g), newSubmitCommand(g), newWorkerCommand(g), newRoundsCommand(g),
			newCompletionCommand(g), newManCommand(g), newVersionCommand(g), newHelpCommand(g)}},
	}
}
