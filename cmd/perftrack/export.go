package main

import (
	"bufio"
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/console"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/exchange"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/helptext"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/history"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/medians"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/reports/current"
	"github.com/perftrack/perftrack/reports/runs"
)

func newExportCommand(g *globals) *cobra.Command {
	var to string
	cmd := &cobra.Command{
		Use:   "export [RUN|COMMIT|TRIAL...]",
		Short: "Write stored runs in the Go benchmark format or for other tools",
		Long: `Write stored runs for benchstat, for other programs, or as a backup.

Without an argument, export writes all runs; for a commit, the newest run of each target.
benchfmt, the Go benchmark format, keeps every sample, and it alone comes back unchanged
by import. --to medians writes the newest medians of all benchmarks for the charts in
perftrack ci comment.

bencher, github-action-benchmark (units of which less is better),
github-action-benchmark-bigger (more is better) and openmetrics take the medians of one
run of each target, so name one commit. Without an argument, openmetrics writes the
current medians of HEAD's history. See perftrack help import.
` + exitStatus,
		Example: `  perftrack export > backup.txt
  perftrack export main feature | benchstat -table pkg -col commit -
  perftrack export --to csv 3f2a9c > run.csv
  perftrack export --to bencher HEAD > bmf.json
  perftrack export --to openmetrics > /var/lib/node_exporter/perftrack.prom`,
		RunE: func(cmd *cobra.Command, args []string) error {
			g.term.JSON = to == "json"
			a, err := g.start(cmd, helptext.OneOf("to", to, append([]string{"benchfmt", "json", "csv", "medians"}, stateFormats...)...), checkMedians(to, args))
			if err != nil {
				return err
			}
			w := bufio.NewWriter(g.term.Stdout)
			switch to {
			case "medians":
				return errors.Join(medians.Write(cmd.Context(), a, w), w.Flush())
			case "benchfmt":
				return errors.Join(exchange.Export(cmd.Context(), a, args, w), w.Flush())
			case "json", "csv":
				selected, err := exchange.SelectRuns(cmd.Context(), a, args)
				if err != nil {
					return err
				}
				out := console.Output{Format: to}
				return out.Print(g.term, runs.Report(compare.Limits{}, selected...))
			}
			text, notes, err := exportState(cmd.Context(), a, to, args)
			if err != nil {
				return err
			}
			for _, note := range notes {
				g.term.Notice(note)
			}
			_, err = w.Write(text)
			return errors.Join(err, w.Flush())
		},
	}
	cmd.Flags().StringVar(&to, "to", "benchfmt", "benchfmt, json, csv, medians, bencher, github-action-benchmark, github-action-benchmark-bigger or openmetrics")
	return cmd
}

// The formats of other tools that describe one state.
const (
	toBencher      = "bencher"
	toGitHubAction = "github-action-benchmark"
	toBigger       = "github-action-benchmark-bigger"
	toOpenMetrics  = "openmetrics"
)

var stateFormats = []string{toBencher, toGitHubAction, toBigger, toOpenMetrics}

// exportState returns the medians of the selected runs in the format of another tool. notes say what
// it does not have.
func exportState(ctx context.Context, a *workspace.Session, to string, words []string) (text []byte, notes []string, err error) {
	var values []current.Value
	scopes := 0
	if to == toOpenMetrics && len(words) == 0 {
		values, err = currentValues(ctx, a)
	} else {
		values, scopes, err = exchange.SelectState(ctx, a, words, to)
	}
	if err != nil {
		return nil, nil, err
	}
	switch to {
	case toBencher:
		text, notes, err = current.Bencher(values)
	case toGitHubAction:
		text, notes, err = current.GitHubAction(values, current.Smaller)
	case toBigger:
		text, notes, err = current.GitHubAction(values, current.Bigger)
	default:
		text, notes = current.Metrics(values)
	}
	if scopes > 0 {
		notes = append(notes, "left out "+reports.Plural(scopes, "scope")+" of profiles")
	}
	if len(values) == 0 {
		notes = append(notes, "there are no benchmarks to write")
	}
	return text, notes, err
}

func currentValues(ctx context.Context, a *workspace.Session) (values []current.Value, err error) {
	lines, err := history.Open(ctx, a, history.Options{})
	if err != nil {
		return nil, err
	}
	values, err = lines.Current(ctx)
	return values, errors.Join(err, lines.Close())
}

// checkMedians returns an error if --to medians is given arguments, because it always exports all
// benchmarks.
func checkMedians(to string, args []string) error {
	if to == "medians" && len(args) > 0 {
		return errors.New("--to medians takes no arguments: it covers all benchmarks")
	}
	return nil
}
