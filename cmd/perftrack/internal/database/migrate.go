package database

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/store"
)

func newMigrate(p Program) *cobra.Command {
	return &cobra.Command{
		Use:   "migrate",
		Short: "Create the database or bring it to this version's schema",
		Long: `Create the database, or bring it to this version's schema. Every command that
writes does so by itself.

An older database is backed up beside it first. Then all of the migration happens or
none of it, even if it is interrupted.`,
		Example: "  perftrack db migrate",
		Args:    cobra.NoArgs,
		RunE: p.run(func(cmd *cobra.Command, a *workspace.Session, _ []string) (err error) {
			p.Term.Activity("migrating the database", false, true)
			db, _, err := a.OpenForWriting(cmd.Context())
			p.Term.ClearStatus()
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, db.Close()) }()
			_, err = fmt.Fprintf(p.Term.Stdout, "%s: %s\n", db.Path(), migrated(db.Migration()))
			return err
		}),
	}
}

// migrated describes a migration.
func migrated(m store.Migration) string {
	switch m.From {
	case 0:
		return fmt.Sprintf("created with schema %d", m.To)
	case m.To:
		return fmt.Sprintf("schema %d, nothing to do", m.To)
	}
	return fmt.Sprintf("migrated from schema %d to %d; the old database is %s", m.From, m.To, m.Backup)
}
