package main

import (
	"strconv"

	"github.com/spf13/cobra"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/console"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/pullrequest"
	"github.com/perftrack/perftrack/reports"
)

func newLimitsCommand(g *globals) *cobra.Command {
	var out console.Output
	cmd := &cobra.Command{
		Use:   "limits",
		Short: "List the limits of inputs and outputs",
		Long: `List the limits of inputs and outputs.

An input that exceeds a limit is an error and is never cut silently. Texts for GitHub stay
within GitHub's limits and say what they omit.
` + exitStatus,
		Example: `  perftrack limits`,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if _, err := g.start(cmd, out.Check(g.term)); err != nil {
				return err
			}
			t := reports.Table{Columns: []reports.Column{{Title: "of", Wraps: true}, {Title: "limit", Wraps: true}, {Title: "value", Right: true}, {Title: "unit"}}}
			for _, l := range pullrequest.Limits() {
				t.Rows = append(t.Rows, []reports.Cell{{Text: l.Of}, {Text: l.What}, {Text: strconv.FormatInt(l.Value, 10), Value: l.Value}, {Text: l.Unit}})
			}
			return out.Print(g.term, reports.Listing("Limits", t))
		},
	}
	out.AddFlag(cmd)
	return cmd
}
