package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/exchange"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
)

func newDBCommand(g *globals) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "db path|migrate|verify|rebuild",
		Short: "Look after the database",
		Long: `Look after the database, which keeps every run.

It is one SQLite file, by default .perftrack/perftrack.db in the
repository's root, outside a repository in your data directory, or where --db or
PERFTRACK_DB says.
` + exitStatus,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newDBPath(g), newDBMigrate(g), newDBVerify(g), newDBRebuild(g))
	return cmd
}

func newDBPath(g *globals) *cobra.Command {
	return &cobra.Command{
		Use:     "path",
		Short:   "Print where the database is",
		Long:    "Print where the database is, whether it exists already or not.\n" + exitStatus,
		Example: "  sqlite3 \"$(perftrack db path)\" 'SELECT * FROM methods'",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			a, err := g.start(cmd)
			if err != nil {
				return err
			}
			path, err := a.DatabasePath(cmd.Context())
			if err != nil {
				return err
			}
			_, err = fmt.Fprintln(g.term.stdout, path)
			return err
		},
	}
}

func newDBMigrate(g *globals) *cobra.Command {
	return &cobra.Command{
		Use:   "migrate",
		Short: "Create the database or bring it to this version's schema",
		Long: `Create the database, or bring it to this version's schema. Every command that
writes does so by itself; an older database is backed up beside it first.
` + exitStatus,
		Example: "  perftrack db migrate",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			a, err := g.start(cmd)
			if err != nil {
				return err
			}
			db, path, err := a.OpenForWriting(cmd.Context())
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, db.Close()) }()
			v, err := db.SchemaVersion(cmd.Context())
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(g.term.stdout, "%s: schema version %d\n", path, v)
			return err
		},
	}
}

func newDBVerify(g *globals) *cobra.Command {
	return &cobra.Command{
		Use:   "verify",
		Short: "Check that the database is whole",
		Long: `Check that the database is whole.

That is SQLite's own integrity and foreign keys, and every run against its id, which is
the hash of all it holds, also what other commands know from an earlier reading. Exits 2
and names the runs if anything is damaged.
` + exitStatus,
		Example: "  perftrack db verify",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			a, err := g.start(cmd)
			if err != nil {
				return err
			}
			db, err := a.OpenForReading(cmd.Context())
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, db.Close()) }()
			v, err := db.Verify(cmd.Context())
			if err != nil {
				return err
			}
			for _, p := range v.Problems {
				fmt.Fprintln(g.term.stdout, p)
			}
			for _, b := range v.Bad {
				fmt.Fprintf(g.term.stdout, "run %s: %v\n", b.ID, b.Err)
			}
			if !v.OK() {
				return fault.Data(fmt.Errorf("verify %s: %d problems: `perftrack db rebuild` stores what is good, and what git has, in a new one",
					db.Path(), len(v.Problems)+len(v.Bad)))
			}
			_, err = fmt.Fprintf(g.term.stdout, "ok: %d runs, %d samples\n", v.Runs, v.Samples)
			return err
		},
	}
}

func newDBRebuild(g *globals) *cobra.Command {
	return &cobra.Command{
		Use:   "rebuild",
		Short: "Make a new database from what is left and what is in git",
		Long: `Make a new database from what is left of the old one, and from what is in git.

It takes every undamaged run of the old one, and what this clone
has kept in git since perftrack sync received or sent it. The old database stays
beside the new one, under the name that is printed. Where there is no database and
nothing in git yet, use perftrack sync.
` + exitStatus,
		Example: "  perftrack db rebuild",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			a, err := g.start(cmd)
			if err != nil {
				return err
			}
			done, err := exchange.Rebuild(cmd.Context(), a)
			if err != nil {
				return err
			}
			text := fmt.Sprintf("%s: %d runs", done.Path, done.Runs)
			if done.Lost > 0 {
				text += fmt.Sprintf(", %d left behind", done.Lost)
			}
			if done.Old != "" {
				text += "; the old database is " + done.Old
			}
			_, err = fmt.Fprintln(g.term.stdout, text)
			return err
		},
	}
}
