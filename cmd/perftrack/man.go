package main

import (
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

func newManCommand(g *globals) *cobra.Command {
	var dir string
	cmd := &cobra.Command{
		Use:   "man [COMMAND...]",
		Short: "Print manual pages",
		Long:  "Print perftrack's manual page, or that of a command, in roff; or write all pages\ninto a directory.\n" + exitStatus,
		Example: `  perftrack man | man -l -
  perftrack man run | man -l -
  perftrack man --dir /usr/local/share/man/man1`,
		RunE: func(cmd *cobra.Command, args []string) error {
			// A fixed date: the pages of one version are the same wherever they are made.
			day := time.Unix(0, 0).UTC()
			head := &doc.GenManHeader{Section: "1", Source: "perftrack " + version(), Manual: "perftrack", Date: &day}
			root := cmd.Root()
			root.DisableAutoGenTag = true
			if dir != "" {
				if err := os.MkdirAll(dir, 0o755); err != nil {
					return fmt.Errorf("create directory for manual pages: %w", err)
				}
				return doc.GenManTree(root, head, dir)
			}
			page, err := findCommand(cmd, args)
			if err != nil {
				return err
			}
			return doc.GenMan(page, head, g.term.stdout)
		},
	}
	cmd.Flags().StringVar(&dir, "dir", "", "write all pages into this `directory`")
	return cmd
}
