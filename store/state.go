package store

import (
	"context"
	"database/sql"
	"fmt"
)

// State names what the database holds: it is another text whenever something was stored or
// deleted since, and costs as good as nothing to ask for.
func (db *DB) State(ctx context.Context) (state string, err error) {
	err = db.read(ctx, func(tx *sql.Tx) (err error) {
		state, err = stateOf(ctx, tx)
		return err
	})
	return state, db.fail("read state of", err)
}

func stateOf(ctx context.Context, tx *sql.Tx) (string, error) {
	var newest, runs, acceptances, deletions int64
	row := tx.QueryRowContext(ctx, `SELECT (SELECT coalesce(max(id), 0) FROM runs), (SELECT count(*) FROM runs),
		(SELECT coalesce(max(id), 0) FROM acceptances), (SELECT coalesce(max(id), 0) FROM deletions)`)
	err := row.Scan(&newest, &runs, &acceptances, &deletions)
	return fmt.Sprintf("%d.%d.%d.%d", newest, runs, acceptances, deletions), err
}
