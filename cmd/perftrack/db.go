package main

import (
	"fmt"

	"github.com/spf13/cobra"
)

func newDBCommand(g *globals) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "db COMMAND",
		Short: "Maintain the database: back it up, check, prune and repair it",
		Long: `Maintain the database, which stores every run.

It is one SQLite file: .perftrack/perftrack.db in the repository's root or, outside a
repository, in your data directory. --db names another file, or a PostgreSQL database
as postgres://USER@HOST/DATABASE: see perftrack help scaling.
` + exitStatus,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newDBPath(g), newDBStats(g), newDBVerify(g), newDBBackup(g), newDBRestore(g), newDBCopy(g), newDBMigrate(g), newDBPrune(g), newDBRebuild(g))
	return cmd
}

func newDBPath(g *globals) *cobra.Command {
	return &cobra.Command{
		Use:   "path",
		Short: "Print where the database is",
		Long: `Print where the database is, even if it does not exist yet. The URL of a PostgreSQL
database is printed without secrets.
` + exitStatus,
		Example: "  sqlite3 \"$(perftrack db path)\" 'SELECT * FROM methods'",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			a, err := g.start(cmd)
			if err != nil {
				return err
			}
			d, err := a.Database(cmd.Context())
			if err != nil {
				return err
			}
			_, err = fmt.Fprintln(g.term.Stdout, d.Name)
			return err
		},
	}
}
