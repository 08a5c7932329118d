package database

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/reports/shell"
	"github.com/perftrack/perftrack/store"
	"github.com/perftrack/perftrack/store/sqlite"
)

func newRestore(p Program) *cobra.Command {
	var opt sqlite.CopyOptions
	cmd := &cobra.Command{
		Use:   "restore FILE",
		Short: "Put a backup in the place of the database",
		Long: `Put a copy of the backup FILE in the place of the database.

restore first checks all of FILE as perftrack db verify does, and brings it to this
version's schema. It replaces an existing database only with --force, keeps the old one
beside it and prints its name. While another process has the database open, it refuses.`,
		Example: `  perftrack db restore ~/backups/2026-06-01.db
  perftrack db restore --force .perftrack/perftrack.db.schema-7`,
		Args: cobra.ExactArgs(1),
		RunE: p.run(func(cmd *cobra.Command, a *workspace.Session, args []string) error {
			path, err := databaseFile(cmd.Context(), a, "use pg_restore, or copy the runs of a file to it with `perftrack db copy`")
			if err != nil {
				return err
			}
			opt.Progress = p.Term.Reading
			done, err := sqlite.Restore(cmd.Context(), path, args[0], opt)
			p.Term.ClearStatus()
			if err != nil {
				return restoreError(p, args[0], err)
			}
			text := fmt.Sprintf("%s: %s", path, reports.Plural(done.Runs, "run"))
			if m := done.Migration; m.From != m.To {
				text += fmt.Sprintf(", migrated from schema %d to %d", m.From, m.To)
			}
			if done.Old != "" {
				text += "; the old database is " + done.Old
			}
			_, err = fmt.Fprintln(p.Term.Stdout, text)
			return err
		}),
	}
	cmd.Flags().BoolVar(&opt.Force, "force", false, "replace the database if it exists; the old one is kept")
	return cmd
}

// restoreError prints the faults of a damaged backup and adds a remedy to the error.
func restoreError(p Program, file string, err error) error {
	var faulty *sqlite.FaultyError
	switch {
	case errors.As(err, &faulty):
		if perr := printFaults(p.Term.Stdout, faulty.Verification); perr != nil {
			return perr
		}
		return fault.Data(fmt.Errorf("%w: nothing was restored; recover its intact runs with `perftrack --db %s db rebuild`", err, shell.Quote(file)))
	case errors.Is(err, store.ErrBusy):
		return fault.IO(fmt.Errorf("%w: end the other perftrack and try again", err))
	case errors.Is(err, store.ErrDamaged):
		return fault.Data(fmt.Errorf("%w: nothing was restored", err))
	}
	return fault.IO(err)
}
