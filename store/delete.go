package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/perftrack/perftrack/runner/record"
)

// Delete deletes the runs that d names and stores the record, in one
// transaction: from then on [DB.Put] leaves these runs out. It returns how many
// of them were here. A record that is there already is left as it is.
func (db *DB) Delete(ctx context.Context, d record.Deletion) (gone int, err error) {
	d.Time = d.Time.UTC().Truncate(time.Second)
	if err := d.Validate(); err != nil {
		return 0, fmt.Errorf("delete runs: %w", err)
	}
	err = db.write(ctx, func(ctx context.Context, tx *sql.Tx) error {
		var known int
		if err := tx.QueryRowContext(ctx, `SELECT count(*) FROM deletions WHERE uid = $1`, d.ID()).Scan(&known); err != nil || known > 0 {
			return err
		}
		gone, err = deleteRuns(ctx, tx, d)
		return err
	})
	return gone, db.fail("delete runs from", err)
}

func deleteRuns(ctx context.Context, tx *sql.Tx, d record.Deletion) (gone int, err error) {
	var deletion int64
	err = tx.QueryRowContext(ctx, `INSERT INTO deletions (uid, deleted, reason) VALUES ($1, $2, $3) RETURNING id`,
		d.ID(), d.Time.UnixMicro(), d.Reason).Scan(&deletion)
	if err != nil {
		return 0, err
	}
	mark, err := tx.PrepareContext(ctx, `INSERT INTO deleted_runs (run_uid, deletion_id) VALUES ($1, $2) ON CONFLICT DO NOTHING`)
	if err != nil {
		return 0, err
	}
	defer mark.Close()
	remove, err := tx.PrepareContext(ctx, `DELETE FROM runs WHERE uid = $1`) // rounds and samples go with it
	if err != nil {
		return 0, err
	}
	defer remove.Close()
	for _, id := range d.Runs {
		if _, err := mark.ExecContext(ctx, id, deletion); err != nil {
			return 0, err
		}
		result, err := remove.ExecContext(ctx, id)
		if err != nil {
			return 0, err
		}
		n, err := result.RowsAffected()
		if err != nil {
			return 0, err
		}
		gone += int(n)
	}
	return gone, nil
}

// Deletions returns all deletions in the order in which they were stored.
func (db *DB) Deletions(ctx context.Context) (all []record.Deletion, err error) {
	err = db.read(ctx, func(tx *sql.Tx) error {
		index := map[int64]int{}
		var ids []string
		err := each(ctx, tx, `SELECT id, uid, deleted, reason FROM deletions ORDER BY id`, nil, func(rows *sql.Rows) error {
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
		err = each(ctx, tx, `SELECT deletion_id, run_uid FROM deleted_runs ORDER BY run_uid`, nil, func(rows *sql.Rows) error {
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

// DeletionOf returns the first deletion that names the run with the given id, as far as
// that run is concerned: Runs has no other. ok is false where there is none.
func (db *DB) DeletionOf(ctx context.Context, id string) (d record.Deletion, ok bool, err error) {
	err = db.read(ctx, func(tx *sql.Tx) error {
		var at int64
		err := tx.QueryRowContext(ctx, `SELECT d.deleted, d.reason FROM deletions d JOIN deleted_runs r ON r.deletion_id = d.id
			WHERE r.run_uid = $1 ORDER BY d.id LIMIT 1`, id).Scan(&at, &d.Reason)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		d.Runs, d.Time, ok = []string{id}, time.UnixMicro(at).UTC(), err == nil
		return err
	})
	return d, ok, db.fail("find a deletion in", err)
}

// isDeleted reports whether a deletion names the run.
func isDeleted(ctx context.Context, tx *sql.Tx, id string) (bool, error) {
	var n int
	err := tx.QueryRowContext(ctx, `SELECT count(*) FROM deleted_runs WHERE run_uid = $1`, id).Scan(&n)
	return n > 0, err
}
