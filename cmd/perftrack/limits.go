package main

import (
	"strconv"

	"github.com/spf13/cobra"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/pullrequest"
	"github.com/perftrack/perftrack/reports"
)

func newLimitsCommand(g *globals) *cobra.Command {
	var out output
	cmd := &cobra.Command{
		Use:   "limits",
		Short: "List the limits of what perftrack reads and writes",
		Long: `List the limits of what perftrack reads and writes.

Exceeding a limit of an input is an error that names it: nothing is cut off in silence.
What is written for GitHub keeps to GitHub's limits, and says what it leaves out.
` + exitStatus,
		Example: `  perftrack limits`,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if _, err := g.start(cmd, out.check(g.term)); err != nil {
				return err
			}
			t := reports.Table{Columns: []reports.Column{{Title: "of", Wraps: true}, {Title: "limit", Wraps: true}, {Title: "value", Right: true}, {Title: "unit"}}}
			for _, l := range pullrequest.Limits() {
				t.Rows = append(t.Rows, []reports.Cell{{Text: l.Of}, {Text: l.What}, {Text: strconv.FormatInt(l.Value, 10), Value: l.Value}, {Text: l.Unit}})
			}
			return out.print(g.term, reports.Listing("Limits", t))
		},
	}
	out.addFlag(cmd)
	return cmd
}
