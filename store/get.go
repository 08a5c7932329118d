package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/perftrack/perftrack/runner/record"
)

// Get returns the run with the given id or unique prefix of an id. The error is [ErrNotFound], an
// [*AmbiguousError], or [ErrDamaged] if a row of the run does not match its digest or is missing.
// [DB.Verify] also compares the content with the id, a hash of all of it.
func (db *DB) Get(ctx context.Context, id string) (*record.Run, error) {
	if !record.IsHashPrefix(id) {
		return nil, fmt.Errorf("run id %q: %d to 64 hex digits name a run: %w", id, record.MinHashPrefix, ErrNotFound)
	}
	var run *record.Run
	err := db.read(ctx, func(tx *sql.Tx) error {
		uid, err := db.fullID(ctx, tx, id)
		if err != nil {
			return err
		}
		q := db.where("r.repository_id = $", db.repository)
		q.and("r.uid = $", uid)
		run, err = db.readRun(ctx, tx, q)
		return err
	})
	if err != nil {
		if err = db.fail("read run from", err); errors.Is(err, ErrDamaged) {
			db.found.note(id, 0, err)
		}
		return nil, err
	}
	return run, nil
}

// readRun returns the one run selected by q, or an error if the run is damaged.
func (db *DB) readRun(ctx context.Context, tx *sql.Tx, q query) (*record.Run, error) {
	info, err := selectRun(ctx, tx, q)
	if err != nil {
		return nil, cmp.Or(db.unreadable(ctx, info, err), err)
	}
	runs, err := db.readRuns(ctx, tx, []record.RunInfo{info}, func(int64, int64, *resultRow) {})
	if err != nil {
		return nil, cmp.Or(db.unreadable(ctx, info, err), err)
	}
	runs[0].Normalize()
	return runs[0], nil
}

// fullID returns the only id beginning with prefix. All such ids are less than prefix+"g", because
// no hex digit is greater than f.
func (db *DB) fullID(ctx context.Context, tx *sql.Tx, prefix string) (string, error) {
	const most = 10 // maximum number of candidates in a message
	ids, err := values[string](ctx, tx, `SELECT uid FROM runs WHERE repository_id = $1 AND uid BETWEEN $2 AND $3 ORDER BY uid LIMIT $4`,
		db.repository, prefix, prefix+"g", most)
	switch {
	case err != nil:
		return "", err
	case len(ids) == 0:
		return "", fmt.Errorf("%w: %s", ErrNotFound, prefix)
	case len(ids) > 1:
		return "", &AmbiguousError{prefix, ids}
	}
	return ids[0], nil
}

// selectRuns returns the headers of the runs matching q. bad lists the runs with damaged headers.
func selectRuns(ctx context.Context, tx *sql.Tx, q query) (infos []record.RunInfo, bad []BadRun, err error) {
	parsed := map[string]record.Settings{} // many runs have the same settings
	err = each(ctx, tx, `SELECT r.id, `+headerColumns+fromRuns+q.text(), q.args, func(rows *sql.Rows) error {
		seq, h, digest, err := scanHeader(rows)
		info := record.RunInfo{Seq: seq, ID: h.uid}
		if err == nil && h.sum() != digest {
			err = errors.New("it does not match its digest")
		}
		if err == nil {
			err = h.parse(&info, parsed)
		}
		if err != nil {
			bad = append(bad, BadRun{info.ID, info.Seq, fmt.Errorf("header of run %s: %w: %w", info.ID, ErrDamaged, err)})
			return nil
		}
		infos = append(infos, info)
		return nil
	})
	return infos, bad, err
}

// selectRun returns the header of the only run matching q. If the header is unreadable, it still
// returns the run's id along with the error.
func selectRun(ctx context.Context, tx *sql.Tx, q query) (record.RunInfo, error) {
	infos, bad, err := selectRuns(ctx, tx, q)
	switch {
	case err != nil:
		return record.RunInfo{}, err
	case len(bad) > 0:
		return record.RunInfo{ID: bad[0].ID, Seq: bad[0].Seq}, bad[0].Err
	case len(infos) != 1:
		return record.RunInfo{}, fmt.Errorf("%d runs instead of one: %w", len(infos), ErrDamaged)
	}
	return infos[0], nil
}
