package store

import (
	"context"
	"database/sql"
	"slices"

	"github.com/perftrack/perftrack/runner/record"
)

// Fill sets the digests of all runs, inserts the results that read returns for each, and sums up the
// benchmarks. It is a part of a migration from a schema that stored results in another way. A run
// that cannot be read or does not match its id gets no digest, so readers report it as damaged.
func Fill(ctx context.Context, tx *sql.Tx, b Backend, read func(record.RunInfo) ([]record.Benchmark, error)) error {
	db := &DB{backend: b, repository: 1}
	type stored struct {
		info   record.RunInfo
		digest int64
	}
	var all []stored
	parsed := map[string]record.Settings{}
	err := each(ctx, tx, `SELECT r.id, `+headerColumns+`
		FROM runs r LEFT JOIN environments e ON e.id = r.environment_id LEFT JOIN trials t ON t.id = r.trial_id ORDER BY r.id`, nil, func(rows *sql.Rows) error {
		seq, h, _, err := scanHeader(rows)
		info := record.RunInfo{Seq: seq, ID: h.uid}
		if err == nil {
			err = h.parse(&info, parsed)
		}
		if err == nil {
			all = append(all, stored{info, h.sum()})
		}
		return nil
	})
	if err == nil {
		err = db.addDigests(ctx, tx)
	}
	if err != nil {
		return err
	}
	for _, r := range all {
		benchmarks, err := read(r.info)
		run := r.info.Run
		if run.Benchmarks = benchmarks; err == nil {
			run.Normalize()
			err = checkRun(&run, r.info)
		}
		if err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			continue
		}
		if err := db.insertResults(ctx, tx, &r.info, r.info.Seq, pointers(run.Benchmarks)); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `UPDATE runs SET digest = $1 WHERE id = $2`, r.digest, r.info.Seq); err != nil {
			return err
		}
	}
	return nil
}

// addDigests sets the digests of all benchmarks, whose results are not counted yet.
func (db *DB) addDigests(ctx context.Context, tx *sql.Tx) error {
	var list []*benchmarkRow
	err := each(ctx, tx, `SELECT id, target, kind, suite, package, name FROM benchmarks`, nil, func(rows *sql.Rows) error {
		var r benchmarkRow
		err := rows.Scan(&r.id, &r.target, &r.Kind, &r.Suite, &r.Package, &r.Name)
		list = append(list, &r)
		return err
	})
	if err != nil || len(list) == 0 {
		return err
	}
	return db.writeBenchmarks(ctx, tx, list)
}

func pointers(list []record.Benchmark) func(func(*record.Benchmark) bool) {
	return func(yield func(*record.Benchmark) bool) {
		for i := range slices.All(list) {
			if !yield(&list[i]) {
				return
			}
		}
	}
}
