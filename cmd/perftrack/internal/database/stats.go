package database

import (
	"github.com/spf13/cobra"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/console"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/listing"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/store"
)

func newStats(p Program) *cobra.Command {
	var out console.Output
	cmd := &cobra.Command{
		Use:   "stats",
		Short: "Show how much the database holds",
		Long: `Show how much the database holds.

stats counts runs, benchmarks, units, values and bytes, and lists the targets with the
most values first. A value is one unit of a benchmark in one round.`,
		Example: `  perftrack db stats
  perftrack db stats --format json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return p.List(cmd, &out, nil, func(db *store.DB) (reports.Report, error) {
				stats, err := db.Stats(cmd.Context(), func(done, of int) { p.Term.Reading("counting the values of benchmarks", done, of) })
				p.Term.ClearStatus()
				return listing.Stats(stats), err
			})
		},
	}
	out.AddFlag(cmd)
	return cmd
}
