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

// findings holds the damaged runs found since the database was opened, and the headers read so far.
// A run never changes, so its header is read only once.
type findings struct {
	salvage bool // set by Salvage: missing rows are no error

	mu    sync.Mutex
	infos map[int64]*record.RunInfo // headers of all runs read so far, by run number
	bad   []BadRun                  // damaged runs
}

// A BadRun is a damaged run.
type BadRun struct {
	ID  string
	Seq int64
	Err error // what is wrong with the run
}

// note records a run as damaged.
func (f *findings) note(id string, seq int64, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.isBad(seq) {
		f.bad = append(f.bad, BadRun{id, seq, err})
	}
}

// noteOnce records an unreadable run whose number may be unknown, unless the run is already
// recorded. id is the run's id or a prefix of it.
func (f *findings) noteOnce(id string, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !slices.ContainsFunc(f.bad, func(b BadRun) bool { return strings.HasPrefix(b.ID, id) }) {
		f.bad = append(f.bad, BadRun{ID: id, Err: err})
	}
}

// keep caches the headers of runs.
func (f *findings) keep(infos []record.RunInfo) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.infos == nil {
		f.infos = make(map[int64]*record.RunInfo, len(infos))
	}
	for i := range infos {
		if f.infos[infos[i].Seq] == nil {
			info := infos[i] // callers may change theirs
			f.infos[info.Seq] = &info
		}
	}
}

// kept returns the cached headers of the runs with these numbers, except damaged runs. It reports
// whether no other header is missing.
func (f *findings) kept(runs []int64) (infos []*record.RunInfo, ok bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	infos, ok = make([]*record.RunInfo, 0, len(runs)), true
	for _, run := range runs {
		if f.isBad(run) {
			continue
		}
		info, known := f.infos[run]
		if known {
			infos = append(infos, info)
		}
		ok = ok && known
	}
	return infos, ok
}

func (f *findings) isBad(seq int64) bool {
	return slices.ContainsFunc(f.bad, func(b BadRun) bool { return b.Seq == seq })
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

// Sound returns the runs whose results are all there and match their digests. [DB.Damaged] then
// lists the others. It is for a few runs, among which the caller chooses.
func (db *DB) Sound(ctx context.Context, infos []record.RunInfo) (sound []record.RunInfo, err error) {
	err = db.read(ctx, func(tx *sql.Tx) error {
		for _, info := range infos {
			err := db.rowsOf(ctx, tx, []record.RunInfo{info}, func(int, *benchmarkRow, *resultRow) error { return nil })
			if err == nil {
				sound = append(sound, info)
			} else if err = db.unreadable(ctx, info, err); err != nil {
				return err
			}
		}
		return nil
	})
	return sound, db.fail("read runs of", err)
}

// unreadable records a run as damaged if that explains err, and otherwise returns the error.
func (db *DB) unreadable(ctx context.Context, info record.RunInfo, err error) error {
	if err = db.backend.Explain(err); ctx.Err() != nil || !errors.Is(err, ErrDamaged) {
		return err
	}
	db.found.note(info.ID, info.Seq, err)
	return nil
}
