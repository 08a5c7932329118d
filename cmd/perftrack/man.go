package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/buildinfo"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/helptext"
)

func newManCommand(g *globals) *cobra.Command {
	var dir string
	cmd := &cobra.Command{
		Use:   "man [COMMAND...]",
		Short: "Print manual pages",
		Long: `Print the manual page for perftrack or for a command in roff, or write all pages to a
directory.
` + exitStatus,
		Example: `  perftrack man | man -l -
  perftrack man run | man -l -
  perftrack man --dir /usr/local/share/man/man1`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if dir != "" {
				if err := os.MkdirAll(dir, 0o755); err != nil {
					return fmt.Errorf("create directory for manual pages: %w", err)
				}
				return helptext.WriteManPages(cmd.Root(), dir, buildinfo.Version())
			}
			of, err := helptext.Find(cmd, args)
			if err != nil {
				return err
			}
			_, err = fmt.Fprint(g.term.Stdout, helptext.ManPage(of, buildinfo.Version()))
			return err
		},
	}
	cmd.Flags().StringVar(&dir, "dir", "", "write all pages into this `directory`")
	return cmd
}
