package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/runner/record"
)

// History returns what every run of target measured of a benchmark, in the
// order in which the runs were stored; nothing when there is no such
// benchmark. It includes the partial, failed and dirty runs: see
// [Run.Baseline]. Runs that are not what was stored are left out: see [DB.Damaged].
func (db *DB) History(ctx context.Context, target string, id record.BenchmarkID) ([]record.HistoryPoint, error) {
	var points []record.HistoryPoint
	err := db.read(ctx, func(tx *sql.Tx) (err error) {
		points, err = db.readHistory(ctx, tx, target, id)
		return err
	})
	return points, db.fail("read history of "+id.Name+" from", err)
}

func (db *DB) readHistory(ctx context.Context, tx *sql.Tx, target string, id record.BenchmarkID) ([]record.HistoryPoint, error) {
	var row int64
	err := tx.QueryRowContext(ctx, `SELECT id FROM benchmarks
		WHERE target = $1 AND kind = $2 AND suite = $3 AND package = $4 AND name = $5`,
		target, string(id.Kind), id.Suite, id.Package, id.Name).Scan(&row)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	infos, err := db.headersOf(ctx, tx, row, id)
	if err != nil {
		return nil, err
	}
	if infos, err = db.soundOf(ctx, tx, infos); err != nil {
		return nil, err
	}
	points := make([]record.HistoryPoint, len(infos))
	index := make(map[int64]*record.HistoryPoint, len(infos)) // by the run's number
	for i, info := range infos {
		points[i] = record.HistoryPoint{Run: info, Benchmark: record.Benchmark{BenchmarkID: id}}
		index[info.Seq] = &points[i]
	}
	if err := fillPoints(ctx, tx, row, index, db.backend.Arrays); err != nil {
		return nil, err
	}
	// These rows were found in another way than when their runs were checked.
	return slices.DeleteFunc(points, func(p record.HistoryPoint) bool {
		same := db.found.whole.hasPart(p.Run.Seq, p.Benchmark)
		if !same {
			db.found.note(p.Run.ID, p.Run.Seq, fmt.Errorf("its rows of %s are not all found: an index is damaged", id.Name))
		}
		return !same
	}), nil
}

// headersOf returns the headers of the runs that have a benchmark. Those of one history are
// mostly those of the next, and a run never changes: they are kept.
func (db *DB) headersOf(ctx context.Context, tx *sql.Tx, benchmark int64, id record.BenchmarkID) ([]record.RunInfo, error) {
	var runs []int64
	err := each(ctx, tx, `SELECT run_id FROM rounds WHERE benchmark_id = $1 ORDER BY run_id`, []any{benchmark}, func(rows *sql.Rows) error {
		var run int64
		err := rows.Scan(&run)
		if n := len(runs); n == 0 || runs[n-1] != run {
			runs = append(runs, run)
		}
		return err
	})
	if err == nil {
		err = db.checkFound(ctx, tx, benchmark, id, len(runs))
	}
	if err != nil {
		return nil, err
	}
	if infos, ok := db.found.kept(runs); ok {
		return infos, nil
	}
	q := where("r.id IN (SELECT run_id FROM rounds WHERE benchmark_id = $)", benchmark)
	q.tail = " ORDER BY r.id"
	infos, err := db.headers(ctx, tx, q)
	db.found.keep(infos)
	return infos, err
}

// fillPoints reads what the runs of a history measured of a benchmark. It leaves out
// what it cannot read.
func fillPoints(ctx context.Context, tx *sql.Tx, row int64, points map[int64]*record.HistoryPoint, arrays ArrayText) error {
	err := each(ctx, tx, `SELECT n.run_id, `+roundLists+` FROM rounds n WHERE n.benchmark_id = $1`,
		[]any{row}, func(rows *sql.Rows) error {
			var run int64
			var t roundTexts
			err := rows.Scan(append([]any{&run}, t.scan()...)...)
			if p := points[run]; p != nil && err == nil {
				p.Benchmark.Rounds, _ = t.parse(arrays)
			}
			return nil
		})
	if err != nil {
		return err
	}
	err = each(ctx, tx, `SELECT p.run_id, s.unit, p.samples
		FROM series s JOIN packed_samples p ON p.series_id = s.id WHERE s.benchmark_id = $1`,
		[]any{row}, func(rows *sql.Rows) error {
			var run int64
			var unit, text string
			err := rows.Scan(&run, &unit, &text)
			if p := points[run]; p != nil && err == nil {
				_ = addSamples(&p.Benchmark, p.Run.ID, strings.Clone(unit), text, arrays)
			}
			return nil
		})
	for _, p := range points {
		slices.SortFunc(p.Benchmark.Samples, func(a, b record.Samples) int { return record.CompareUnits(a.Unit, b.Unit) })
	}
	return err
}
