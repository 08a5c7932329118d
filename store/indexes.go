package store

import (
	"context"
	"database/sql"
	"fmt"
	"sync"

	"github.com/perftrack/perftrack/runner/record"
)

// indexes are what is known of the indexes since the database was opened. The content of a run is
// held against its hash, but a damaged index hides whole runs, or a run from one history.
type indexes struct {
	mu        sync.Mutex
	unchecked bool // see Salvage
	checked   bool
	wrong     error
	state     string        // of which counts are
	counts    map[int64]int // runs by benchmark
}

// Salvage lets damaged indexes be read: what they do not find is missed without an error. It is for
// who keeps what can be kept.
func (db *DB) Salvage() {
	db.indexes.mu.Lock()
	defer db.indexes.mu.Unlock()
	db.indexes.unchecked = true
}

func (db *DB) checkIndexes(ctx context.Context, tx *sql.Tx) error {
	x := &db.indexes
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.unchecked || x.checked {
		return x.wrong
	}
	err := db.backend.CheckIndexes(ctx, tx)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	x.checked, x.wrong = true, err
	return err
}

// runsOf returns in how many runs each benchmark was measured, by its number; nil where it is not
// asked for.
func (db *DB) runsOf(ctx context.Context, tx *sql.Tx) (map[int64]int, error) {
	x := &db.indexes
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.unchecked {
		return nil, nil
	}
	state, err := stateOf(ctx, tx)
	if err != nil || x.counts != nil && x.state == state {
		return x.counts, err
	}
	counts, err := db.backend.CountRounds(ctx, tx)
	if err == nil {
		x.state, x.counts = state, counts
	}
	return counts, err
}

// checkFound reports an error where a benchmark was found in another number of runs than there are.
func (db *DB) checkFound(ctx context.Context, tx *sql.Tx, benchmark int64, id record.BenchmarkID, found int) error {
	counts, err := db.runsOf(ctx, tx)
	if err == nil && counts != nil && counts[benchmark] != found {
		err = fmt.Errorf("%s is found in %d of %d runs: %w: see `perftrack db verify`", id.Name, found, counts[benchmark], ErrDamaged)
	}
	return err
}
