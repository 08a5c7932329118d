package lease

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"github.com/perftrack/perftrack/fleet/database"
)

// A Watch knows for how long a process has reached the database without a gap. After a gap, all
// leases are old and nobody is dead, so the processes wait as long as a lease before they put jobs
// back.
type Watch struct{ since, last time.Time }

// Seen records that the database was reached.
func (w *Watch) Seen() {
	now := time.Now()
	if now.Sub(w.last) > 2*Renewal+time.Second {
		w.since = now
	}
	w.last = now
}

// Steady reports whether the leases of living workers must be valid.
func (w *Watch) Steady() bool { return w.last.Sub(w.since) >= Expiry }

// PutBack puts the jobs of dead workers back into the queue, and returns their number. A worker that
// goes on with such a job cannot store a result, because its next attempt has another number.
func PutBack(ctx context.Context, d *database.DB) (int, error) {
	return putBack(ctx, d, `NOT EXISTS (
		SELECT 1 FROM fleet_workers w WHERE w.client = {claimed_by} AND w.seen_us > {now_us} - ?)`, Expiry.Microseconds())
}

type deadJob struct {
	id             int64
	attempt, limit int
	client         string
}

// running begins a query for jobs.
const running = `SELECT id, attempt, max_attempts, coalesce({claimed_by}, '') FROM river_job
	WHERE state = 'running' AND kind IN ('rounds', 'check') AND `

// putBack puts back the running jobs that match a condition. Most of the time there are none, so it
// looks without a lock first.
func putBack(ctx context.Context, d *database.DB, where string, args ...any) (n int, err error) {
	query := running + where
	var found []deadJob
	err = d.Retry(ctx, func(ctx context.Context) (err error) {
		found, err = deadJobs(ctx, d.DB, d.SQL(query), args)
		return err
	})
	if err != nil || len(found) == 0 {
		return 0, err
	}
	err = d.Do(ctx, func(ctx context.Context, tx *sql.Tx) error {
		found, err := deadJobs(ctx, tx, d.SQL(query+` ORDER BY id LIMIT 1000 {skip}`), args)
		if err != nil {
			return err
		}
		for _, job := range found {
			if err := job.putBack(ctx, d, tx); err != nil {
				return err
			}
		}
		n = len(found)
		return nil
	})
	if err != nil {
		return 0, fmt.Errorf("put back the jobs of dead workers: %w", err)
	}
	return n, nil
}

type queryer interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

func deadJobs(ctx context.Context, q queryer, query string, args []any) (found []deadJob, err error) {
	rows, err := q.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var j deadJob
		if err := rows.Scan(&j.id, &j.attempt, &j.limit, &j.client); err != nil {
			return nil, err
		}
		found = append(found, j)
	}
	return found, rows.Err()
}

// putBack makes the job available, or gives it up if it may have killed all of its workers.
func (j deadJob) putBack(ctx context.Context, d *database.DB, tx *sql.Tx) error {
	if j.attempt < j.limit {
		_, err := tx.ExecContext(ctx, d.SQL(`UPDATE river_job SET state = 'available', scheduled_at = {now} WHERE id = ?`), j.id)
		return err
	}
	_, err := tx.ExecContext(ctx, d.SQL(`UPDATE river_job SET state = 'discarded', finalized_at = {now} WHERE id = ?`), j.id)
	if err != nil {
		return err
	}
	return Fail(ctx, d, tx, Failure{
		Job: j.id, Attempt: j.attempt, Worker: j.client[:max(0, len(j.client)-17)], Kind: "io",
		Message: fmt.Sprintf("%d workers died while they measured it", j.attempt),
	})
}

// A Failure says why a job was given up.
type Failure struct {
	Job                         int64
	Attempt                     int
	Worker, Kind, Message, Text string
}

// Fail stores a failure.
func Fail(ctx context.Context, d *database.DB, tx *sql.Tx, f Failure) error {
	_, err := tx.ExecContext(ctx, d.SQL(`INSERT INTO fleet_failures (job, attempt, worker, stored_us, kind, message, body)
		VALUES (?, ?, ?, {now_us}, ?, ?, ?)`), f.Job, f.Attempt, f.Worker, f.Kind, f.Message, f.Text)
	return err
}

// Forget removes the workers that were not seen for a day. Until then they are shown as missing.
func Forget(ctx context.Context, d *database.DB) error {
	return d.Retry(ctx, func(ctx context.Context) error {
		_, err := d.ExecContext(ctx, d.SQL(`DELETE FROM fleet_workers WHERE seen_us < {now_us} - ?`), (24 * time.Hour).Microseconds())
		return err
	})
}
