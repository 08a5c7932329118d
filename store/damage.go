package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/perftrack/perftrack/runner/record"
)

// findings holds the damage that was found since the database was opened, and the headers read so
// far. A run never changes, so its header is read only once.
type findings struct {
	salvage bool // set by Salvage: missing rows are no error

	mu      sync.Mutex
	infos   map[int64]*record.RunInfo // headers of all runs read so far, by run number
	bad     []BadRun                  // damaged runs
	indexes func() error              // result of checking the indexes; nil before the check. Digests protect the content of rows, but a damaged index can hide whole rows
}

// Salvage makes the database readable even if indexes are damaged, to save as much data as
// possible. Rows that are missing from an index are then skipped without an error.
func (db *DB) Salvage() { db.found.salvage = true }

func (db *DB) checkIndexes(ctx context.Context, tx *sql.Tx) error {
	f := &db.found
	if db.backend.CheckIndexes == nil || f.salvage {
		return nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.indexes == nil {
		err := db.backend.CheckIndexes(ctx, tx)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		f.indexes = func() error { return err }
	}
	return f.indexes()
}

// A BadRun is a damaged run.
type BadRun struct {
	ID  string
	Seq int64
	Err error // what is wrong with the run
}

// note records a run as damaged, unless it is recorded already. id is the run's id or a prefix of
// it, and seq is the run's number, or 0 if it is unknown.
func (f *findings) note(id string, seq int64, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !slices.ContainsFunc(f.bad, func(b BadRun) bool { return b.Seq == seq && seq != 0 || seq == 0 && strings.HasPrefix(b.ID, id) }) {
		f.bad = append(f.bad, BadRun{id, seq, err})
	}
}

// NoteDamaged records a run as damaged: see [DB.Damaged].
func (db *DB) NoteDamaged(id string, err error) { db.found.note(id, 0, err) }

// keep caches the headers of runs.
func (f *findings) keep(infos []record.RunInfo) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.infos == nil {
		f.infos = make(map[int64]*record.RunInfo, len(infos))
	}
	for i := range infos {
		if f.infos[infos[i].Seq] == nil {
			info := infos[i] // a copy, because callers may change their infos
			f.infos[info.Seq] = &info
		}
	}
}

// kept returns the cached headers of the runs with these numbers, except damaged runs, and the
// number of uncached runs.
func (f *findings) kept(runs []int64) (infos []*record.RunInfo, missing int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	infos = make([]*record.RunInfo, 0, len(runs))
	for _, run := range runs {
		switch info := f.infos[run]; {
		case slices.ContainsFunc(f.bad, func(b BadRun) bool { return b.Seq == run }):
		case info == nil:
			missing++
		default:
			infos = append(infos, info)
		}
	}
	return infos, missing
}

// Damaged returns the damaged runs found since the database was opened. [DB.Get] returns an error
// for them, and all other methods omit them.
func (db *DB) Damaged() []BadRun {
	db.found.mu.Lock()
	defer db.found.mu.Unlock()
	return slices.Clone(db.found.bad)
}

// withoutBad returns q with a condition that excludes the runs known to be damaged.
func (db *DB) withoutBad(q query) query {
	bad := db.Damaged()
	if len(bad) == 0 {
		return q
	}
	numbers := make([]string, len(bad))
	for i, b := range bad {
		numbers[i] = fmt.Sprint(b.Seq)
	}
	q.conditions = append(slices.Clone(q.conditions), "r.id NOT IN ("+strings.Join(numbers, ", ")+")")
	return q
}

// headers returns the headers of the runs matching q. It omits runs with damaged headers and
// records them.
func (db *DB) headers(ctx context.Context, tx *sql.Tx, q query) ([]record.RunInfo, error) {
	infos, bad, err := selectRuns(ctx, tx, db.withoutBad(q))
	for _, b := range bad {
		db.found.note(b.ID, b.Seq, b.Err)
	}
	db.found.keep(infos)
	return infos, err
}

// unreadable records a run as damaged if that explains err, and otherwise returns the error.
func (db *DB) unreadable(ctx context.Context, info record.RunInfo, err error) error {
	if err = db.backend.Explain(err); ctx.Err() != nil || !errors.Is(err, ErrDamaged) {
		return err
	}
	db.found.note(info.ID, info.Seq, err)
	return nil
}
