package store

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"github.com/perftrack/perftrack/runner/record"
)

// Accept stores a in one transaction and returns its id. If the same record already exists, Accept
// leaves it as it is, and added is false.
func (db *DB) Accept(ctx context.Context, a record.Acceptance) (id string, added bool, err error) {
	a.Time = a.Time.UTC().Truncate(time.Second)
	if err := a.Validate(); err != nil {
		return "", false, fmt.Errorf("store acceptance: %w", err)
	}
	id = a.ID()
	err = db.write(ctx, func(ctx context.Context, tx *sql.Tx) error {
		result, err := tx.ExecContext(ctx, `INSERT INTO acceptances
				(repository_id, uid, target, package, benchmark, commit_sha, reason, accepted, revokes, author)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT DO NOTHING`,
			db.repository, id, a.Target, a.Package, a.Benchmark, a.Commit, a.Reason, a.Time.UnixMicro(), a.Revokes, a.Author)
		if err != nil {
			return err
		}
		n, err := result.RowsAffected()
		added = n > 0
		return err
	})
	if err != nil {
		return "", false, db.fail("write acceptance to", err)
	}
	return id, added, nil
}

// AcceptanceRecords returns all acceptances and revocations for target, or for all targets if
// target is "", in the order in which they were stored.
func (db *DB) AcceptanceRecords(ctx context.Context, target string) (all []record.Acceptance, err error) {
	err = db.read(ctx, func(tx *sql.Tx) error {
		return each(ctx, tx, `SELECT uid, target, package, benchmark, commit_sha, reason, accepted, revokes, author
			FROM acceptances WHERE repository_id = $1 AND ($2 = '' OR target = $2) ORDER BY id`, []any{db.repository, target}, func(rows *sql.Rows) error {
			var a record.Acceptance
			var id string
			var at int64
			if err := rows.Scan(&id, &a.Target, &a.Package, &a.Benchmark, &a.Commit, &a.Reason, &at, &a.Revokes, &a.Author); err != nil {
				return err
			}
			a.Time = time.UnixMicro(at).UTC()
			if a.ID() != id {
				return fmt.Errorf("acceptance %s: its content has the hash %s: %w", id, a.ID(), ErrDamaged)
			}
			all = append(all, a)
			return nil
		})
	})
	return all, db.fail("list acceptances of", err)
}

// Acceptances returns the unrevoked acceptances for target, or for all targets if target is "".
// They are in the order in which they were stored, which may differ from the order of their
// commits.
func (db *DB) Acceptances(ctx context.Context, target string) ([]record.Acceptance, error) {
	records, err := db.AcceptanceRecords(ctx, target)
	return record.Unrevoked(records), err
}
