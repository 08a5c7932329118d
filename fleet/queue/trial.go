package queue

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/perftrack/perftrack/fleet/database"
	"github.com/perftrack/perftrack/fleet/jobs"
)

// waiting are the states of jobs that no worker has claimed.
const waiting = `state IN ('available', 'retryable', 'scheduled', 'pending')`

// open stores the trial, or opens a stored one again. It supersedes the open trials of other heads
// of the pull request, and returns their ids.
func (s *session) open(ctx context.Context, t Trial) (superseded []string, err error) {
	priority, err := jobs.Priority(t.Priority)
	if err != nil {
		return nil, err
	}
	for _, f := range [][2]string{
		{"trial", t.ID}, {"repository", t.Repository}, {"url", t.URL}, {"base", t.Base}, {"head", t.Head},
		{"class", t.Class}, {"procedure", t.Procedure},
	} {
		if f[1] == "" {
			return nil, fmt.Errorf("open a trial: %s is missing", f[0])
		}
	}
	flags, err := json.Marshal(slices.Concat([]string{}, t.Flags))
	if err != nil {
		return nil, err
	}
	err = s.db.Do(ctx, func(ctx context.Context, tx *sql.Tx) error {
		optional := 0
		if t.Optional {
			optional = 1
		}
		if t.ID, err = s.unfinished(ctx, tx, t, priority, string(flags)); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, s.db.SQL(`INSERT INTO fleet_trials
			(id, repository, url, dir, base_sha, head_sha, class, procedure, priority, pull_request, optional, state, flags, created_us)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'open', ?, {now_us})
			ON CONFLICT (id) DO UPDATE SET state = CASE fleet_trials.state WHEN 'superseded' THEN 'superseded' ELSE 'open' END, ended_us = NULL`),
			t.ID, t.Repository, t.URL, t.Dir, t.Base, t.Head, t.Class, t.Procedure, priority, t.PullRequest, optional, string(flags))
		if err != nil {
			return err
		}
		// A stored trial goes on with the procedure that began to measure it.
		var state string
		err = tx.QueryRowContext(ctx, s.db.SQL(`SELECT class, procedure, priority, state FROM fleet_trials WHERE id = ?`), t.ID).
			Scan(&t.Class, &t.Procedure, &priority, &state)
		if err != nil || t.PullRequest == "" || state != "open" {
			return err
		}
		superseded, err = supersede(ctx, s.db, tx, t)
		return err
	})
	s.trial, s.priority = t, priority
	return superseded, err
}

// unfinished returns the id of an earlier trial that asks for the same and was not finished, because
// its process was interrupted or killed. Otherwise it returns the id of t.
func (s *session) unfinished(ctx context.Context, tx *sql.Tx, t Trial, priority int, flags string) (id string, err error) {
	err = tx.QueryRowContext(ctx, s.db.SQL(`SELECT id FROM fleet_trials
		WHERE id = ? OR repository = ? AND base_sha = ? AND head_sha = ? AND class = ? AND procedure = ? AND priority = ? AND flags = ? AND state IN ('open', 'interrupted')
		ORDER BY CASE id WHEN ? THEN 0 ELSE 1 END, created_us DESC LIMIT 1`),
		t.ID, t.Repository, t.Base, t.Head, t.Class, t.Procedure, priority, flags, t.ID).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		return t.ID, nil
	}
	return id, err
}

// supersede ends the open trials of other heads of the same pull request. What they have measured
// is kept.
func supersede(ctx context.Context, d *database.DB, tx *sql.Tx, t Trial) (ids []string, err error) {
	rows, err := tx.QueryContext(ctx, d.SQL(`SELECT id FROM fleet_trials
		WHERE repository = ? AND pull_request = ? AND head_sha <> ? AND state = 'open' ORDER BY id {lock}`), t.Repository, t.PullRequest, t.Head)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	if err := rows.Err(); err != nil { // the rows are closed now
		return nil, err
	}
	for _, id := range ids {
		if err := end(ctx, d, tx, id, "superseded", t.ID); err != nil {
			return nil, err
		}
		if err := d.Announce(ctx, tx, id); err != nil {
			return nil, err
		}
	}
	return ids, nil
}

// end ends a trial and cancels its waiting jobs.
func end(ctx context.Context, d *database.DB, tx *sql.Tx, id, state, by string) error {
	_, err := tx.ExecContext(ctx, d.SQL(`UPDATE fleet_trials SET state = ?, superseded_by = ?, ended_us = {now_us}
		WHERE id = ? AND state = 'open'`),
		state, sql.NullString{String: by, Valid: by != ""}, id)
	if err != nil {
		return err
	}
	return cancel(ctx, d, tx, id)
}

// cancel cancels the waiting jobs of a trial. Running jobs go on.
func cancel(ctx context.Context, d *database.DB, tx *sql.Tx, id string) error {
	_, err := tx.ExecContext(ctx, d.SQL(`UPDATE river_job SET state = 'cancelled', finalized_at = {now}
		WHERE args {text}trial{/text} = ? AND kind = 'rounds' AND `+waiting), id)
	return err
}

// cancel cancels the waiting jobs of the trial.
func (s *session) cancel(ctx context.Context, tx *sql.Tx) error {
	return cancel(ctx, s.db, tx, s.trial.ID)
}

func (s *session) close(ctx context.Context, state string) error {
	if !slices.Contains([]string{"decided", "interrupted", "superseded", "failed"}, state) {
		return fmt.Errorf("close trial %s: unknown state %q: use decided, interrupted, superseded or failed", s.trial.ID, state)
	}
	return s.db.Do(ctx, func(ctx context.Context, tx *sql.Tx) error {
		return end(ctx, s.db, tx, s.trial.ID, state, "")
	})
}
