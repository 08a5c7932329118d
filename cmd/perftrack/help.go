package main

import (
	"github.com/spf13/cobra"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/helptext"
)

func newHelpCommand(g *globals) *cobra.Command {
	var all bool
	cmd := &cobra.Command{
		Use:   "help [COMMAND... | PAGE [SECTION] | pages]",
		Short: "Show the help of a command or a page of the documentation",
		Long: `Show the help of a command or a page of the documentation.

Without an argument, help lists the commands; help pages lists the pages. A page with the
name of a command, such as sync, follows that command's flags. On a terminal, the text is
paged as by git (GIT_PAGER, core.pager, PAGER).
` + exitStatus,
		Example: `  perftrack help check              a command and its page
  perftrack help bisect-helper auto
  perftrack help --all              every command
  perftrack help check --all        every flag of a command
  perftrack help pages              the pages
  perftrack help verdicts limits    a section of a page`,
		RunE: func(cmd *cobra.Command, args []string) error {
			text, err := helptext.Text(cmd, args, g.term.Style(), all)
			if err != nil {
				return err
			}
			return g.term.Page(cmd.Context(), text)
		},
	}
	cmd.Flags().BoolVar(&all, "all", false, "list all commands, or all flags of a command")
	return cmd
}
