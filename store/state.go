package store

import (
	"context"
	"database/sql"
	"fmt"
)

// State returns a string that changes with every change to the database. It is very cheap to
// compute.
func (db *DB) State(ctx context.Context) (state string, err error) {
	err = db.read(ctx, func(tx *sql.Tx) (err error) {
		state, err = db.stateOf(ctx, tx)
		return err
	})
	return state, db.fail("read state of", err)
}

func (db *DB) stateOf(ctx context.Context, tx *sql.Tx) (string, error) {
	var newest, runs, acceptances, deletions int64
	row := tx.QueryRowContext(ctx, `SELECT
		(SELECT coalesce(max(id), 0) FROM runs WHERE repository_id = $1), (SELECT count(*) FROM runs WHERE repository_id = $1),
		(SELECT coalesce(max(id), 0) FROM acceptances WHERE repository_id = $1), (SELECT coalesce(max(id), 0) FROM deletions WHERE repository_id = $1)`, db.repository)
	err := row.Scan(&newest, &runs, &acceptances, &deletions)
	return fmt.Sprintf("%d.%d.%d.%d", newest, runs, acceptances, deletions), err
}
