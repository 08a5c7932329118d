package main

import (
	"bufio"
	"errors"

	"github.com/spf13/cobra"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/exchange"
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

Without an argument it is all of them; for a commit the newest one of
each target, as compare takes them. The Go benchmark format (benchfmt) keeps
every sample and is what perftrack import reads; JSON and CSV are for other
programs. benchstat reads it with -table pkg, since commit, round and the
like are configuration there.

With --to medians it writes no runs but the medians of the newest ones of all
benchmarks, on the first-parent line of HEAD: the workflow of the history leaves them
for perftrack comment, which draws those of the worst regressions.
` + exitStatus,
		Example: `  perftrack export > backup.txt
  perftrack export main feature | benchstat -table pkg -col commit -
  perftrack export --to csv 3f2a9c > run.csv
  perftrack export --to medians > medians.json`,
		RunE: func(cmd *cobra.Command, args []string) error {
			g.term.json = to == "json"
			a, err := g.start(cmd, oneOf("to", to, "benchfmt", "json", "csv", "medians"), checkMedians(to, args))
			if err != nil {
				return err
			}
			w := bufio.NewWriter(g.term.stdout)
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
			out := output{format: to}
			return out.print(g.term, runs.Report(compare.Limits{}, selected...))
		},
	}
	cmd.Flags().StringVar(&to, "to", "benchfmt", "benchfmt, json, csv or medians")
	return cmd
}

// checkMedians refuses runs beside the medians, which are of all.
func checkMedians(to string, args []string) error {
	if to == "medians" && len(args) > 0 {
		return errors.New("--to medians goes with no run: it writes those of all benchmarks")
	}
	return nil
}
