package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/reports/shell"
	"github.com/perftrack/perftrack/store"
	"github.com/perftrack/perftrack/store/sqlite"
)

func newDBRestore(g *globals) *cobra.Command {
	var opt sqlite.CopyOptions
	cmd := &cobra.Command{
		Use:   "restore FILE",
		Short: "Put a backup in the place of the database",
		Long: `Put a copy of the backup FILE in the place of the database.

restore first checks all of FILE as perftrack db verify does, and brings it to this
version's schema. It replaces an existing database only with --force, keeps the old one
beside it and prints its name. While another process has the database open, it refuses.
` + exitStatus,
		Example: `  perftrack db restore ~/backups/2026-06-01.db
  perftrack db restore --force .perftrack/perftrack.db.schema-7`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			a, err := g.start(cmd, checkFile(args[0]))
			if err != nil {
				return err
			}
			path, err := databaseFile(cmd.Context(), a, "use pg_restore, or copy the runs of a file to it with `perftrack db copy`")
			if err != nil {
				return err
			}
			opt.Progress = g.term.Reading
			done, err := sqlite.Restore(cmd.Context(), path, args[0], opt)
			g.term.ClearStatus()
			if err != nil {
				return restoreError(g, args[0], err)
			}
			text := fmt.Sprintf("%s: %s", path, reports.Plural(done.Runs, "run"))
			if m := done.Migration; m.From != m.To {
				text += fmt.Sprintf(", migrated from schema %d to %d", m.From, m.To)
			}
			if done.Old != "" {
				text += "; the old database is " + done.Old
			}
			_, err = fmt.Fprintln(g.term.Stdout, text)
			return err
		},
	}
	cmd.Flags().BoolVar(&opt.Force, "force", false, "replace the database if it exists; the old one is kept")
	return cmd
}

// restoreError prints the faults of a damaged backup and adds a remedy to the error.
func restoreError(g *globals, file string, err error) error {
	var faulty *sqlite.FaultyError
	switch {
	case errors.As(err, &faulty):
		if perr := printFaults(g.term.Stdout, faulty.Verification); perr != nil {
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
