package main

import (
	"github.com/spf13/cobra"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/console"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/listing"
)

func newFormatsCommand(g *globals) *cobra.Command {
	var out console.Output
	cmd := &cobra.Command{
		Use:   "formats",
		Short: "List the formats of benchmark output that can be read",
		Long: `List the formats of benchmark output that can be read.

perftrack import reads them, and so does a target of kind command. The format is found by
the content; --from, or format in perftrack.toml, names it. A file with samples can be
tested; a summary has only a center and its spread. See perftrack help formats.
` + exitStatus,
		Example: `  perftrack formats
  perftrack formats --format json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if _, err := g.start(cmd, out.Check(g.term)); err != nil {
				return err
			}
			return out.Print(g.term, listing.Formats())
		},
	}
	out.AddFlag(cmd)
	return cmd
}
