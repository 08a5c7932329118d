package database

import (
	"context"
	"errors"
	"time"

	"github.com/spf13/cobra"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/console"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/retention"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/when"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/store"
)

func newPrune(p Program) *cobra.Command {
	var rule retention.Rule
	var out console.Output
	var older string
	var yes bool
	cmd := &cobra.Command{
		Use:   "prune",
		Short: "Delete old runs that nothing needs",
		Long: `Delete the runs that fulfil all given conditions. Without --yes, prune only shows them.

Some runs are kept in any case: the newest complete run of a clean commit of each target,
environment and branch, as a baseline; the runs next to a step; the runs of releases
(commits with a tag) and of commits with an accepted change; the newest run of each
benchmark; the other side of a kept trial; and a run that counts for another commit.

A deletion is stored and shared by perftrack sync, which deletes the runs in every clone;
they stay deleted even if they are imported again. The space in the file is used again.
A branch and --unreachable go by this clone's references: run git fetch first.`,
		Example: `  perftrack db prune --older-than 1y
  perftrack db prune --keep 200 --yes
  perftrack db prune --branch feature
  perftrack db prune --unreachable --older-than 4w`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			a, err := p.Start(cmd, out.Check(p.Term), checkPrune(cmd, &rule, older, p.Term.Now()))
			if err != nil {
				return err
			}
			r, err := prune(cmd.Context(), a, rule, yes)
			p.Term.ClearStatus()
			if err != nil {
				return err
			}
			return out.Print(p.Term, r)
		},
	}
	f := cmd.Flags()
	f.StringVar(&older, "older-than", "", "only runs measured longer ago than this `age`: 90d, 12w, 2y, \"3 months\"")
	f.IntVar(&rule.Keep, "keep", 0, "only runs other than the newest `n` of each target, environment and branch")
	f.StringVar(&rule.Branch, "branch", "", "only runs of the branch `name`")
	f.BoolVar(&rule.Unreachable, "unreachable", false, "only runs of commits that no branch and no tag leads to")
	f.BoolVar(&yes, "yes", false, "delete them")
	out.AddFlag(cmd)
	return cmd
}

func checkPrune(cmd *cobra.Command, rule *retention.Rule, older string, now time.Time) (err error) {
	changed := cmd.Flags().Changed
	switch {
	case changed("keep") && rule.Keep < 1:
		return errors.New("--keep needs at least 1")
	case changed("branch") && rule.Branch == "":
		return errors.New("--branch is empty: is a variable not set?")
	case changed("older-than"):
		rule.Older, err = when.Span("older-than", older, when.Day, now)
		return err
	case rule.Empty():
		return errors.New("name a condition: --older-than, --keep, --branch or --unreachable")
	}
	return nil
}

// prune deletes the runs selected by the rule or, without yes, only describes them.
func prune(ctx context.Context, a *workspace.Session, rule retention.Rule, yes bool) (r reports.Report, err error) {
	db, err := a.OpenForReading(ctx) // does not create a database
	if err == nil && yes {
		if err = db.Close(); err == nil {
			db, _, err = a.OpenForWriting(ctx)
		}
	}
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	infos, err := db.Runs(ctx, store.Filter{}) // without damaged runs, which are not deleted
	if err != nil {
		return r, err
	}
	choice, err := retention.Plan(ctx, a, db, infos, rule)
	if err != nil {
		return r, err
	}
	gone := -1
	if yes {
		if gone, err = retention.Delete(ctx, db, choice, a.Now()); err != nil {
			return r, fault.IO(err)
		}
	}
	return retention.Report(choice, gone, a.Now()), nil
}
