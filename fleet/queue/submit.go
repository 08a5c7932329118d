package queue

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/perftrack/perftrack/fleet/database"
	"github.com/perftrack/perftrack/fleet/jobs"
)

// Submit queues a check for a worker that decides, and returns the id of its job. It returns the id
// of the same check if that waits or runs. Waiting checks of other heads of the pull request are
// cancelled.
func Submit(ctx context.Context, d *database.DB, c jobs.Check) (id int64, err error) {
	for _, f := range [][2]string{{"-repository", c.Repository}, {"-url", c.URL}, {"-base", c.Base}, {"-head", c.Head}, {"-class", c.Class}} {
		if f[1] == "" {
			return 0, errors.New("submit a check: " + f[0] + " is missing")
		}
	}
	priority, err := jobs.Priority(c.Priority)
	if err != nil {
		return 0, err
	}
	client, err := jobs.Inserter(d)
	if err != nil {
		return 0, err
	}
	err = d.Do(ctx, func(ctx context.Context, tx *sql.Tx) error {
		if c.PullRequest != "" {
			_, err := tx.ExecContext(ctx, d.SQL(`UPDATE river_job SET state = 'cancelled', finalized_at = {now} WHERE kind = 'check'
				AND args {text}repository{/text} = ? AND args {text}pull_request{/text} = ? AND args {text}head{/text} <> ? AND `+waiting),
				c.Repository, c.PullRequest, c.Head)
			if err != nil {
				return err
			}
		}
		result, err := client.InsertTx(ctx, tx, c, jobs.Options(jobs.DecideQueue, priority))
		if err == nil {
			id = result.Job.ID
		}
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("submit a check of %s: %w", c.Repository, err)
	}
	return id, nil
}
