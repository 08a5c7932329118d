package main

import (
	"fmt"
	"runtime"

	"github.com/spf13/cobra"
)

func newVersionCommand(g *globals) *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Print perftrack's version",
		Long:    "Print perftrack's version, the Go version it was built with, and the platform.\n" + exitStatus,
		Example: "  perftrack version",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprint(g.term.Stdout, versionLine())
			return err
		},
	}
}

func versionLine() string {
	return fmt.Sprintf("perftrack %s %s %s/%s\n", version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
