package database

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/store/sqlite"
)

func newBackup(p Program) *cobra.Command {
	var opt sqlite.CopyOptions
	cmd := &cobra.Command{
		Use:   "backup FILE",
		Short: "Copy the database to a file",
		Long: `Copy the database to FILE, with every run stored before the command began.

Others may measure and store runs meanwhile. FILE gets its name only when it is complete
and on disk, so an interrupted backup leaves no FILE, or the old one with --force. It is
a database of its own: perftrack --db FILE reads it. perftrack db restore puts it back.`,
		Example: `  perftrack db backup ~/backups/monday.db
  perftrack db backup --force /mnt/nas/perftrack.db`,
		Args: cobra.ExactArgs(1),
		RunE: p.run(func(cmd *cobra.Command, a *workspace.Session, args []string) error {
			path, err := databaseFile(cmd.Context(), a, "use pg_dump, or copy the runs to a file with `perftrack db copy`")
			if err != nil {
				return err
			}
			opt.Progress = p.Term.Reading
			done, err := sqlite.Backup(cmd.Context(), path, args[0], opt)
			p.Term.ClearStatus()
			if err != nil {
				return fault.IO(err)
			}
			_, err = fmt.Fprintf(p.Term.Stdout, "%s: %s, %s\n", done.Path, reports.Plural(done.Runs, "run"), reports.Plural(int(done.Bytes), "byte"))
			return err
		}),
	}
	cmd.Flags().BoolVar(&opt.Force, "force", false, "replace FILE if it exists")
	return cmd
}

// databaseFile returns the path of the session's database. If that is not a file, the error has the
// given remedy.
func databaseFile(ctx context.Context, a *workspace.Session, remedy string) (string, error) {
	d, err := a.Database(ctx)
	if err == nil && !d.IsFile() {
		err = fault.Usagef("%s is a PostgreSQL database: %s", d.Name, remedy)
	}
	return d.Path, err
}
