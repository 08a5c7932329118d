package database

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/exchange"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/reports"
)

func newCopy(p Program) *cobra.Command {
	return &cobra.Command{
		Use:   "copy FROM TO",
		Short: "Copy everything from one database to another",
		Long: `Copy all runs, accepted changes and deletions from one database to another.

Each is a file or a postgres:// URL; TO is created if there is none. Every run is compared
with its id, the hash of its content. What TO has already stays as it is, so a copy that was
interrupted can be repeated. Exports of both databases are then the same.`,
		Example: "  perftrack db copy .perftrack/perftrack.db postgres://team@db.example.org/perf",
		Args:    cobra.ExactArgs(2),
		RunE: p.run(func(cmd *cobra.Command, a *workspace.Session, args []string) error {
			done, err := exchange.Copy(cmd.Context(), a, args[0], args[1])
			if err != nil {
				return err
			}
			a.DB, a.Wrote = args[1], true
			_, err = fmt.Fprintf(p.Term.Stdout, "copied to %s: %s, %s, %s; %d runs were there\n", done.To,
				reports.Plural(done.Runs, "run"), reports.Plural(done.Acceptances, "accepted change"), reports.Plural(done.Deletions, "deletion"), done.Known)
			return err
		}),
	}
}
