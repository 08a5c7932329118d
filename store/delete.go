package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/perftrack/perftrack/runner/record"
)

// Delete deletes the runs named in d and stores d, in one transaction. From then on, [DB.Put] does
// not store these runs again. Delete returns the number of deleted runs. If d is already stored,
// Delete does nothing.
func (db *DB) Delete(ctx context.Context, d record.Deletion) (gone int, err error) {
	d.Time = d.Time.UTC().Truncate(time.Second)
	if err := d.Validate(); err != nil {
		return 0, fmt.Errorf("delete runs: %w", err)
	}
	err = db.write(ctx, func(ctx context.Context, tx *sql.Tx) error {
		var known int
		if err := tx.QueryRowContext(ctx, `SELECT count(*) FROM deletions WHERE repository_id = $1 AND uid = $2`, db.repository, d.ID()).Scan(&known); err != nil || known > 0 {
			return err
		}
		gone, err = db.deleteRuns(ctx, tx, d)
		return err
	})
	return gone, db.fail("delete runs from", err)
}

func (db *DB) deleteRuns(ctx context.Context, tx *sql.Tx, d record.Deletion) (gone int, err error) {
	var deletion int64
	err = tx.QueryRowContext(ctx, `INSERT INTO deletions (repository_id, uid, deleted, reason) VALUES ($1, $2, $3, $4) RETURNING id`,
		db.repository, d.ID(), d.Time.UnixMicro(), d.Reason).Scan(&deletion)
	if err != nil {
		return 0, err
	}
	counts := counts{}
	for _, id := range d.Runs {
		if _, err := tx.ExecContext(ctx, `INSERT INTO deleted_runs (run_uid, deletion_id) VALUES ($1, $2) ON CONFLICT DO NOTHING`, id, deletion); err != nil {
			return 0, err
		}
		var run int64
		err := tx.QueryRowContext(ctx, `SELECT id FROM runs WHERE repository_id = $1 AND uid = $2`, db.repository, id).Scan(&run)
		if errors.Is(err, sql.ErrNoRows) {
			continue
		}
		if err == nil {
			err = counts.read(ctx, tx, "n.run_id = $1", run)
		}
		if err == nil {
			_, err = tx.ExecContext(ctx, `DELETE FROM runs WHERE id = $1`, run) // this also deletes its results
		}
		if err != nil {
			return 0, err
		}
		gone++
	}
	return gone, db.discount(ctx, tx, counts)
}

// discount subtracts the results of deleted runs from the summaries of their benchmarks.
func (db *DB) discount(ctx context.Context, tx *sql.Tx, gone counts) error {
	if len(gone) == 0 {
		return nil
	}
	var changed []*benchmarkRow
	err := db.eachBenchmark(ctx, tx, func(r *benchmarkRow, err error) error {
		c := gone[r.id]
		if c == nil {
			return nil
		}
		if err != nil {
			return err
		}
		r.runs -= c.runs
		for unit, n := range c.units {
			if unit < len(r.unitRuns) {
				r.unitRuns[unit] -= n
			}
		}
		changed = append(changed, r)
		return nil
	})
	if err != nil {
		return err
	}
	for _, r := range changed {
		if err := tx.QueryRowContext(ctx, `SELECT coalesce(max(run_id), 0) FROM results WHERE repository_id = $1 AND benchmark_id = $2`, db.repository, r.id).Scan(&r.last); err != nil {
			return err
		}
	}
	return db.writeBenchmarks(ctx, tx, changed)
}

// Deletions returns all deletions in the order in which they were stored.
func (db *DB) Deletions(ctx context.Context) (all []record.Deletion, err error) {
	err = db.read(ctx, func(tx *sql.Tx) error {
		index := map[int64]int{}
		var ids []string
		err := each(ctx, tx, `SELECT id, uid, deleted, reason FROM deletions WHERE repository_id = $1 ORDER BY id`, []any{db.repository}, func(rows *sql.Rows) error {
			var d record.Deletion
			var row, at int64
			var id string
			if err := rows.Scan(&row, &id, &at, &d.Reason); err != nil {
				return err
			}
			d.Time = time.UnixMicro(at).UTC()
			index[row] = len(all)
			all, ids = append(all, d), append(ids, id)
			return nil
		})
		if err != nil {
			return err
		}
		err = each(ctx, tx, `SELECT r.deletion_id, r.run_uid FROM deleted_runs r JOIN deletions d ON d.id = r.deletion_id
			WHERE d.repository_id = $1 ORDER BY r.run_uid`, []any{db.repository}, func(rows *sql.Rows) error {
			var row int64
			var run string
			err := rows.Scan(&row, &run)
			if i, ok := index[row]; ok {
				all[i].Runs = append(all[i].Runs, run)
			}
			return err
		})
		if err != nil {
			return err
		}
		for i, d := range all {
			if d.ID() != ids[i] {
				return fmt.Errorf("deletion %s: its content has the hash %s: %w", ids[i], d.ID(), ErrDamaged)
			}
		}
		return nil
	})
	return all, db.fail("list deletions of", err)
}

// DeletionOf returns the first deletion that names the run with the given id, with only this run in
// Runs. ok is false if the run was not deleted.
func (db *DB) DeletionOf(ctx context.Context, id string) (d record.Deletion, ok bool, err error) {
	err = db.read(ctx, func(tx *sql.Tx) error {
		d, ok, err = db.deletionOf(ctx, tx, id)
		return err
	})
	return d, ok, db.fail("find a deletion in", err)
}

func (db *DB) deletionOf(ctx context.Context, tx *sql.Tx, id string) (d record.Deletion, ok bool, err error) {
	var at int64
	err = tx.QueryRowContext(ctx, `SELECT d.deleted, d.reason FROM deletions d JOIN deleted_runs r ON r.deletion_id = d.id
		WHERE d.repository_id = $1 AND r.run_uid = $2 ORDER BY d.id LIMIT 1`, db.repository, id).Scan(&at, &d.Reason)
	if errors.Is(err, sql.ErrNoRows) {
		return d, false, nil
	}
	d.Runs, d.Time = []string{id}, time.UnixMicro(at).UTC()
	return d, err == nil, err
}
