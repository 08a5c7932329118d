package jobs

import (
	"context"
	"encoding/json"
	"errors"
	"slices"

	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/rivershared/riverpilot"
)

// getWithinLimit claims a job of a repository with less than limit jobs in flight. The claims of
// all workers take turns, so that they do not exceed the limit together.
func (f *Fence) getWithinLimit(
	ctx context.Context, exec riverdriver.Executor, state riverpilot.ProducerState, params *riverdriver.JobGetAvailableParams,
) (*riverdriver.JobGetAvailableResult, error) {
	const lock = 0x6c696d69
	none := &riverdriver.JobGetAvailableResult{}
	tx, err := exec.Begin(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { _ = tx.Rollback(context.WithoutCancel(ctx)) }()
	if f.db.Postgres {
		if err := tx.Exec(ctx, "SELECT pg_advisory_xact_lock($1)", lock); err != nil {
			return nil, err
		}
	}
	full, err := f.full(ctx)
	if err != nil {
		return nil, err
	}
	// River claims in order. Jobs of full repositories step back for a moment, so that those behind
	// them get their turn.
	for _, repository := range full {
		err := tx.Exec(ctx, f.db.SQL(`UPDATE river_job SET scheduled_at = {later} WHERE id IN (
			SELECT id FROM river_job WHERE state = 'available' AND queue = ? AND scheduled_at <= {now} AND args {text}repository{/text} = ?
			ORDER BY priority, scheduled_at, id LIMIT 500)`), params.Queue, repository)
		if err != nil {
			return nil, err
		}
	}
	claims, err := tx.Begin(ctx)
	if err != nil {
		return nil, err
	}
	result, err := f.StandardPilot.JobGetAvailable(ctx, claims, state, params)
	if err != nil {
		return nil, err
	}
	for _, job := range result.Jobs {
		var args Rounds
		if json.Unmarshal(job.EncodedArgs, &args) == nil && slices.Contains(full, args.Repository) { // one of more than 500
			result = none
			err = errors.Join(err, claims.Rollback(ctx))
			break
		}
	}
	if result != none {
		err = claims.Commit(ctx)
	}
	return result, errors.Join(err, tx.Commit(ctx))
}

// full returns the repositories that have as many jobs in flight as they may have. The expression
// with kind keeps SQLite from using the index on kind, which would read all waiting jobs.
func (f *Fence) full(ctx context.Context) (repositories []string, err error) {
	rows, err := f.db.QueryContext(ctx, f.db.SQL(`SELECT args {text}repository{/text} FROM river_job
		WHERE kind || '' = 'rounds' AND state = 'running' GROUP BY args {text}repository{/text} HAVING count(*) >= ?`), f.limit)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return nil, err
		}
		repositories = append(repositories, name)
	}
	return repositories, rows.Err()
}
