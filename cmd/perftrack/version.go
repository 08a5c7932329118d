package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/buildinfo"
)

func newVersionCommand(g *globals) *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Print perftrack's version",
		Long:    "Print perftrack's version, the Go version it was built with, and the platform.\n" + exitStatus,
		Example: "  perftrack version",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprint(g.term.Stdout, buildinfo.Line())
			return err
		},
	}
}
