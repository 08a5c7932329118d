package store

import (
	"context"
	"database/sql"
	"fmt"
	"slices"

	"github.com/perftrack/perftrack/runner/record"
)

// History returns a point for every run of target with the benchmark, in the order in which the
// runs were stored. It returns nothing if there is no such benchmark. It includes partial, failed
// and dirty runs: see [record.Run.Baseline]. It omits damaged runs: see [DB.Damaged].
func (db *DB) History(ctx context.Context, target string, id record.BenchmarkID) (points []record.HistoryPoint, err error) {
	err = db.read(ctx, func(tx *sql.Tx) (err error) {
		points, err = db.readHistory(ctx, tx, target, id)
		return err
	})
	return points, db.fail("read history of "+id.Name+" from", err)
}

func (db *DB) readHistory(ctx context.Context, tx *sql.Tx, target string, id record.BenchmarkID) ([]record.HistoryPoint, error) {
	stored, err := db.readBenchmarks(ctx, tx, target, []record.BenchmarkID{id})
	b := stored[id]
	if err != nil || b == nil {
		return nil, err
	}
	infos, err := db.headersOf(ctx, tx, b)
	if err != nil {
		return nil, err
	}
	points := make([]record.HistoryPoint, 0, len(infos))
	index := make(map[int64]*record.RunInfo, len(infos)) // by run number
	for _, info := range infos {
		index[info.Seq] = info
	}
	var s scanner
	var free space
	err = each(ctx, tx, `SELECT `+resultList+` FROM results n WHERE n.repository_id = $1 AND n.benchmark_id = $2 ORDER BY n.run_id`, []any{db.repository, b.id}, func(rows *sql.Rows) error {
		if err := s.scan(rows); err != nil {
			return fmt.Errorf("run %d: %w: %w", s.run, ErrDamaged, err)
		}
		info := index[s.run]
		if info == nil {
			return nil // damaged
		}
		p := record.HistoryPoint{Run: info, Benchmark: record.Benchmark{BenchmarkID: id}}
		err := s.check(info.ID, b)
		if err == nil {
			err = s.row.unpack(&p.Benchmark, b.units, &free)
		}
		if err != nil {
			db.found.note(info.ID, s.run, damaged(info.ID, id.Name, err))
			return nil
		}
		slices.SortFunc(p.Benchmark.Samples, func(a, b record.Samples) int { return record.CompareUnits(a.Unit, b.Unit) })
		points = append(points, p)
		return nil
	})
	return points, err
}

// headersOf returns the headers of the runs with a benchmark. It caches headers, because most
// histories have runs in common and a run never changes.
func (db *DB) headersOf(ctx context.Context, tx *sql.Tx, b *benchmarkRow) ([]*record.RunInfo, error) {
	runs, err := values[int64](ctx, tx, `SELECT run_id FROM results WHERE repository_id = $1 AND benchmark_id = $2 ORDER BY run_id`, db.repository, b.id)
	if err == nil && len(runs) != b.runs && !db.found.salvage {
		err = fmt.Errorf("%s: %d of %d runs were found: %w: see `perftrack db verify`", b.Name, len(runs), b.runs, ErrDamaged)
	}
	if err != nil {
		return nil, err
	}
	infos, missing := db.found.kept(runs)
	if missing > 0 {
		q := db.where("r.repository_id = $", db.repository)
		q.conditions = append(q.conditions, "r.id IN (SELECT run_id FROM results WHERE repository_id = $1 AND benchmark_id = "+q.bind(b.id)+")")
		if _, err := db.headers(ctx, tx, q); err != nil {
			return nil, err
		}
		infos, missing = db.found.kept(runs)
	}
	if missing > 0 && !db.found.salvage {
		return nil, fmt.Errorf("%d runs with results of %s are missing: %w: see `perftrack db verify`", missing, b.Name, ErrDamaged)
	}
	return slices.DeleteFunc(infos, func(i *record.RunInfo) bool {
		if i.Target != b.target {
			db.found.note(i.ID, i.Seq, fmt.Errorf("run %s: %w: it belongs to target %q, its benchmark %s to %q", i.ID, ErrDamaged, i.Target, b.Name, b.target))
		}
		return i.Target != b.target
	}), nil
}
