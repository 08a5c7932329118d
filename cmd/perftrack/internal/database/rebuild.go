package database

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/exchange"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
)

func newRebuild(p Program) *cobra.Command {
	return &cobra.Command{
		Use:   "rebuild",
		Short: "Make a new database from undamaged runs and from git",
		Long: `Make a new database from the undamaged runs of the old one and from git.

git has the runs that perftrack sync received or sent. The old database stays beside the
new one; its name is printed. If there is neither, use perftrack sync.`,
		Example: "  perftrack db rebuild",
		Args:    cobra.NoArgs,
		RunE: p.run(func(cmd *cobra.Command, a *workspace.Session, _ []string) error {
			done, err := exchange.Rebuild(cmd.Context(), a)
			p.Term.ClearStatus()
			if err != nil {
				return err
			}
			a.Wrote = true
			text := fmt.Sprintf("%s: %d runs", done.Path, done.Runs)
			if done.Lost > 0 {
				text += fmt.Sprintf(", %d left behind", done.Lost)
			}
			if done.Old != "" {
				text += "; the old database is now " + done.Old
			}
			_, err = fmt.Fprintln(p.Term.Stdout, text)
			return err
		}),
	}
}
