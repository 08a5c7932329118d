package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"iter"
	"slices"
	"time"

	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/runner/record/decode"
)

// Put stores run in one transaction and returns its id. If the run already exists, Put leaves it as
// it is, and added is false, so it is always safe to repeat a Put whose outcome is unknown. A
// deleted run stays deleted: see [DB.Delete].
//
// Put first brings the run into canonical order. It returns an error if the run could not be read
// back unchanged, exceeds a limit, has no target, or lacks samples ([record.ErrNoSamples]). Once
// the transaction has begun, it is completed even if ctx is cancelled.
func (db *DB) Put(ctx context.Context, run *record.Run) (id string, added bool, err error) {
	p, err := preparePut(run)
	if err != nil {
		return "", false, err
	}
	return db.put(ctx, p)
}

// PutAll is like [DB.Put], but stores several runs in one transaction and returns how many are new.
func (db *DB) PutAll(ctx context.Context, runs []*record.Run) (added int, err error) {
	list := make([]prepared, len(runs))
	for i, run := range runs {
		if list[i], err = preparePut(run); err != nil {
			return 0, err
		}
	}
	stored, err := db.putAll(ctx, list)
	for _, s := range stored {
		if s.Added {
			added++
		}
	}
	return added, err
}

// PutPacked is like [DB.Put], but for a run with packed samples.
func (db *DB) PutPacked(ctx context.Context, run *decode.Packed) (id string, added bool, err error) {
	p, err := preparePacked(run)
	if err != nil {
		return "", false, err
	}
	return db.put(ctx, p)
}

// A Stored says what became of a run.
type Stored struct {
	ID    string
	Added bool // false if the run already exists or was deleted
}

// PutAllPacked is like [DB.PutPacked], but stores several runs in one transaction: all or none.
func (db *DB) PutAllPacked(ctx context.Context, runs []*decode.Packed) (stored []Stored, err error) {
	list := make([]prepared, len(runs))
	for i, run := range runs {
		if list[i], err = preparePacked(run); err != nil {
			return nil, err
		}
	}
	return db.putAll(ctx, list)
}

// A prepared run is ready to be stored.
type prepared struct {
	record.RunInfo
	benchmarks iter.Seq[*record.Benchmark]
}

func preparePut(run *record.Run) (prepared, error) {
	if err := run.Validate(); err != nil {
		return prepared{}, fmt.Errorf("store run: %w", err)
	}
	info := record.RunInfo{Run: *run, ID: run.ID(), Benchmarks: len(run.Benchmarks), Rounds: run.Rounds()}
	return prepared{info, pointers(run.Benchmarks)}, nil
}

func preparePacked(run *decode.Packed) (prepared, error) {
	if err := run.Validate(); err != nil {
		return prepared{}, fmt.Errorf("store run: %w", err)
	}
	info := record.RunInfo{Run: run.Header, ID: run.ID(), Benchmarks: run.Len(), Rounds: run.Rounds()}
	return prepared{info, run.Benchmarks()}, nil
}

func (db *DB) put(ctx context.Context, run prepared) (id string, added bool, err error) {
	stored, err := db.putAll(ctx, []prepared{run})
	if err != nil {
		return "", false, err
	}
	return run.ID, stored[0].Added, nil
}

// putAll stores runs in one transaction.
func (db *DB) putAll(ctx context.Context, runs []prepared) (stored []Stored, err error) {
	for _, run := range runs {
		if run.Target == "" {
			return nil, errors.New("store run: the run has no target")
		}
	}
	err = db.write(ctx, func(ctx context.Context, tx *sql.Tx) error {
		stored = nil // an earlier try may have failed
		for _, run := range runs {
			isNew, err := db.putIn(ctx, tx, run)
			if err != nil {
				return err
			}
			stored = append(stored, Stored{run.ID, isNew})
		}
		return nil
	})
	if err != nil {
		return nil, db.fail("write run to", err)
	}
	return stored, nil
}

// putIn stores a run in a transaction, unless it is stored or deleted already.
func (db *DB) putIn(ctx context.Context, tx *sql.Tx, run prepared) (added bool, err error) {
	var seq int64
	err = tx.QueryRowContext(ctx, `SELECT id FROM runs WHERE repository_id = $1 AND uid = $2`, db.repository, run.ID).Scan(&seq)
	if !errors.Is(err, sql.ErrNoRows) {
		return false, err // nil if the run already exists
	}
	if _, gone, err := db.deletionOf(ctx, tx, run.ID); gone || err != nil {
		return false, err
	}
	seq, err = db.insertRun(ctx, tx, &run.RunInfo)
	if err != nil {
		return false, err
	}
	return true, db.insertResults(ctx, tx, &run.RunInfo, seq, run.benchmarks)
}

// insertRun inserts the header of a run and returns its row id.
func (db *DB) insertRun(ctx context.Context, tx *sql.Tx, r *record.RunInfo) (seq int64, err error) {
	h := headerOf(r)
	environment, err := idOf(ctx, tx, `SELECT id FROM environments WHERE key = $1 AND settings = $2`,
		`INSERT INTO environments (key, settings) VALUES ($1, $2) ON CONFLICT DO NOTHING`, h.environment, h.settings)
	if err != nil {
		return 0, fmt.Errorf("environment %s: %w", h.environment, err)
	}
	var trial sql.NullInt64
	if r.Trial != "" {
		trial.Valid = true
		trial.Int64, err = idOf(ctx, tx, `SELECT id FROM trials WHERE name = $1`, `INSERT INTO trials (name) VALUES ($1) ON CONFLICT DO NOTHING`, r.Trial)
		if err != nil {
			return 0, err
		}
	}
	err = tx.QueryRowContext(ctx, `INSERT INTO runs (
			repository_id, uid, target, commit_sha, tree, branch, dirty, commit_time, environment_id, facts, protocol, started, ended,
			tool, status, trial_id, side, units, failures, benchmarks, max_rounds, digest)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22)
		RETURNING id`,
		db.repository, h.uid, h.target, h.sha, h.tree, h.branch, h.dirty, h.commitTime, environment, h.facts, h.protocol, h.started, h.ended,
		h.tool, h.status, trial, h.side, h.units, h.failures, h.benchmarks, h.rounds, h.sum(),
	).Scan(&seq)
	return seq, err
}

// idOf returns the id of the row selected by find. If there is no such row, it first inserts one
// with insert and the same arguments. Another process may insert the row first.
func idOf(ctx context.Context, tx *sql.Tx, find, insert string, args ...any) (id int64, err error) {
	for range 2 {
		err = tx.QueryRowContext(ctx, find, args...).Scan(&id)
		if !errors.Is(err, sql.ErrNoRows) {
			return id, err
		}
		if _, err := tx.ExecContext(ctx, insert, args...); err != nil {
			return 0, err
		}
	}
	return 0, errors.New("another row is in the way")
}

// mostHeld is the size in bytes at which packed results are inserted before packing more.
const mostHeld = 4 << 20

// insertResults inserts the results of a run, and counts them in the summaries of its benchmarks.
func (db *DB) insertResults(ctx context.Context, tx *sql.Tx, run *record.RunInfo, seq int64, benchmarks iter.Seq[*record.Benchmark]) error {
	var ids []record.BenchmarkID
	for b := range benchmarks {
		ids = append(ids, b.BenchmarkID)
	}
	if len(ids) == 0 {
		return nil
	}
	stored, err := db.readBenchmarks(ctx, tx, run.Target, ids)
	if err != nil {
		return err
	}
	var list []*benchmarkRow
	var rows []resultRow
	var digests []int64
	insert := func() error {
		if err := db.writeBenchmarks(ctx, tx, list); err != nil {
			return err
		}
		return db.backend.Insert(ctx, tx, "results", resultColumns(db.repository, list, seq, rows, digests))
	}
	var d digest
	held := 0
	for b := range benchmarks {
		if held >= mostHeld {
			if err := insert(); err != nil {
				return err
			}
			list, rows, digests, held = nil, nil, nil, 0
		}
		r := stored[b.BenchmarkID]
		if r == nil {
			r = &benchmarkRow{target: run.Target, BenchmarkID: b.BenchmarkID}
		}
		row := packResults(b, r.unit)
		r.count(+1, &row)
		r.last = seq
		list, rows, digests = append(list, r), append(rows, row), append(digests, row.digestOf(&d, run.ID, r.BenchmarkID, r.units))
		held += len(row.samples) * 2 // the columns of its rounds are about as long
	}
	return insert()
}

// resultColumns returns the rows of the table results for one run.
func resultColumns(repository int64, list []*benchmarkRow, seq int64, rows []resultRow, digests []int64) []Column {
	columns := []Column{
		{"repository_id", slices.Repeat([]int64{repository}, len(list))}, {"run_id", slices.Repeat([]int64{seq}, len(list))}, {"digest", digests},
		columnOf("benchmark_id", list, func(r *benchmarkRow) int64 { return r.id }),
		columnOf("rounds", rows, func(r resultRow) int64 { return int64(r.rounds) }),
		columnOf("samples", rows, func(r resultRow) []byte { return r.samples }),
	}
	for c, name := range columnNames {
		columns = append(columns, columnOf(name, rows, func(r resultRow) []byte { return r.columns[c] }))
	}
	return columns
}

// pointers iterates over pointers to the elements of list.
func pointers(list []record.Benchmark) iter.Seq[*record.Benchmark] {
	return func(yield func(*record.Benchmark) bool) {
		for i := range list {
			if !yield(&list[i]) {
				return
			}
		}
	}
}

func listJSON[T any](list []T) string { return record.CompactJSON(append([]T{}, list...)) } // never "null"

func micros(t time.Time) sql.NullInt64 {
	return sql.NullInt64{Int64: t.UnixMicro(), Valid: !t.IsZero()}
}
