package store

import (
	"context"
	"database/sql"
	"sync"
)

// indexes holds the result of checking the indexes since the database was opened. Digests protect
// the content of rows, but a damaged index can hide whole rows.
type indexes struct {
	mu      sync.Mutex
	checked bool
	wrong   error
}

// Salvage makes the database readable even if indexes are damaged, to save as much data as
// possible. Rows missing from an index are then skipped without an error.
func (db *DB) Salvage() {
	db.indexes.mu.Lock()
	defer db.indexes.mu.Unlock()
	db.indexes.checked, db.indexes.wrong = true, nil
	db.found.salvage = true
}

func (db *DB) checkIndexes(ctx context.Context, tx *sql.Tx) error {
	x := &db.indexes
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.checked || db.backend.CheckIndexes == nil {
		return x.wrong
	}
	err := db.backend.CheckIndexes(ctx, tx)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	x.checked, x.wrong = true, err
	return err
}
