// Package database declares the subcommands of perftrack db, each in a file with its name. Start
// with database.go.
package database

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/console"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/helptext"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/store"
)

// A Program holds the parts of perftrack used by the commands.
type Program struct {
	Term  *console.Console
	Start func(cmd *cobra.Command, checks ...error) (*workspace.Session, error)
	// List opens the database and prints the report returned by report. If check is not nil, it
	// returns check instead.
	List func(cmd *cobra.Command, out *console.Output, check error, report func(*store.DB) (reports.Report, error)) error
}

// run returns a function for RunE that starts a session for do.
func (p Program) run(do func(cmd *cobra.Command, a *workspace.Session, args []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		var empty error
		if slices.Contains(args, "") {
			empty = fault.Usagef("an argument is empty: is a variable not set?")
		}
		a, err := p.Start(cmd, empty)
		if err != nil {
			return err
		}
		return do(cmd, a, args)
	}
}

// Command returns the command db with its subcommands.
func Command(p Program) *cobra.Command {
	db := &cobra.Command{
		Use:   "db COMMAND",
		Short: "Maintain the database: back it up, check, prune and repair it",
		Long: `Maintain the database, which stores every run.

It is one SQLite file: .perftrack/perftrack.db in the repository's root or, outside a
repository, in your data directory. --db names another file, or a PostgreSQL database
as postgres://USER@HOST/DATABASE: see perftrack help scaling.
` + helptext.ExitStatus,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	for _, cmd := range []*cobra.Command{newPath(p), newStats(p), newVerify(p), newBackup(p), newRestore(p), newCopy(p), newMigrate(p), newPrune(p), newRebuild(p)} {
		cmd.Long += "\n" + helptext.ExitStatus
		db.AddCommand(cmd)
	}
	return db
}

func newPath(p Program) *cobra.Command {
	return &cobra.Command{
		Use:   "path",
		Short: "Print where the database is",
		Long: `Print where the database is, even if it does not exist yet. The URL of a PostgreSQL
database is printed without secrets.`,
		Example: "  sqlite3 \"$(perftrack db path)\" 'SELECT * FROM methods'",
		Args:    cobra.NoArgs,
		RunE: p.run(func(cmd *cobra.Command, a *workspace.Session, _ []string) error {
			d, err := a.Database(cmd.Context())
			if err != nil {
				return err
			}
			_, err = fmt.Fprintln(p.Term.Stdout, d.Name)
			return err
		}),
	}
}
