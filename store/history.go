package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// A HistoryPoint is what one run measured of a benchmark.
type HistoryPoint struct {
	Run       RunInfo
	Benchmark Benchmark
}

// History returns what every run of target measured of a benchmark, in the
// order in which the runs were stored; nothing when there is no such
// benchmark. It includes the partial, failed and dirty runs: see
// [Run.Baseline].
func (db *DB) History(ctx context.Context, target string, id BenchmarkID) ([]HistoryPoint, error) {
	var points []HistoryPoint
	err := db.read(ctx, func(tx *sql.Tx) (err error) {
		points, err = readHistory(ctx, tx, target, id, db.backend.Arrays)
		return err
	})
	return points, db.fail("read history of "+id.Name+" from", err)
}

func readHistory(ctx context.Context, tx *sql.Tx, target string, id BenchmarkID, arrays ArrayText) ([]HistoryPoint, error) {
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
	q := where("r.id IN (SELECT run_id FROM rounds WHERE benchmark_id = $)", row)
	q.tail = " ORDER BY r.id"
	infos, err := selectRuns(ctx, tx, q)
	if err != nil {
		return nil, err
	}
	points := make([]HistoryPoint, len(infos))
	index := make(map[int64]int, len(infos)) // of a run's point
	for i, info := range infos {
		points[i] = HistoryPoint{info, Benchmark{BenchmarkID: id}}
		index[info.Seq] = i
	}
	err = each(ctx, tx, `SELECT run_id, rounds, orders, iterations, seeds FROM rounds WHERE benchmark_id = $1`,
		[]any{row}, func(rows *sql.Rows) error {
			var run int64
			var t roundTexts
			if err := rows.Scan(&run, &t.rounds, &t.orders, &t.iters, &t.seeds); err != nil {
				return err
			}
			i, ok := index[run]
			if !ok {
				return fmt.Errorf("run number %d is missing: %w", run, ErrDamaged)
			}
			if points[i].Benchmark.Rounds, err = t.parse(arrays); err != nil {
				return damaged(infos[i].ID, id.Name, err)
			}
			return nil
		})
	if err != nil {
		return nil, err
	}
	err = each(ctx, tx, `SELECT p.run_id, s.unit, p.samples
		FROM series s JOIN packed_samples p ON p.series_id = s.id WHERE s.benchmark_id = $1`,
		[]any{row}, func(rows *sql.Rows) error {
			var run int64
			var unit, text string
			if err := rows.Scan(&run, &unit, &text); err != nil {
				return err
			}
			i, ok := index[run]
			if !ok {
				return fmt.Errorf("run number %d is missing: %w", run, ErrDamaged)
			}
			return points[i].Benchmark.addSamples(infos[i].ID, strings.Clone(unit), text, arrays)
		})
	for _, p := range points {
		slices.SortFunc(p.Benchmark.Samples, func(a, b Samples) int { return CompareUnits(a.Unit, b.Unit) })
	}
	return points, err
}
