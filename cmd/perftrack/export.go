package main

import (
	"bufio"
	"errors"

	"github.com/spf13/cobra"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/console"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/exchange"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/helptext"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/medians"
	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/reports/runs"
)

func newExportCommand(g *globals) *cobra.Command {
	var to string
	cmd := &cobra.Command{
		Use:   "export [RUN|COMMIT|TRIAL...]",
		Short: "Write stored runs in the Go benchmark format, JSON or CSV",
		Long: `Write stored runs for benchstat, for other programs, or as a backup.

Without an argument, export writes all runs; for a commit, the newest run of each target.
benchfmt, the Go benchmark format, keeps every sample and can be imported again. --to
medians writes the newest medians of all benchmarks for the charts in perftrack ci
comment. See perftrack help import.
` + exitStatus,
		Example: `  perftrack export > backup.txt
  perftrack export main feature | benchstat -table pkg -col commit -
  perftrack export --to csv 3f2a9c > run.csv
  perftrack export --to medians > medians.json`,
		RunE: func(cmd *cobra.Command, args []string) error {
			g.term.JSON = to == "json"
			a, err := g.start(cmd, helptext.OneOf("to", to, "benchfmt", "json", "csv", "medians"), checkMedians(to, args))
			if err != nil {
				return err
			}
			w := bufio.NewWriter(g.term.Stdout)
			if to == "medians" {
				return errors.Join(medians.Write(cmd.Context(), a, w), w.Flush())
			}
			if to == "benchfmt" {
				return errors.Join(exchange.Export(cmd.Context(), a, args, w), w.Flush())
			}
			selected, err := exchange.SelectRuns(cmd.Context(), a, args)
			if err != nil {
				return err
			}
			out := console.Output{Format: to}
			return out.Print(g.term, runs.Report(compare.Limits{}, selected...))
		},
	}
	cmd.Flags().StringVar(&to, "to", "benchfmt", "benchfmt, json, csv or medians")
	return cmd
}

// checkMedians returns an error if --to medians is given arguments, because it always exports all
// benchmarks.
func checkMedians(to string, args []string) error {
	if to == "medians" && len(args) > 0 {
		return errors.New("--to medians takes no arguments: it covers all benchmarks")
	}
	return nil
}
