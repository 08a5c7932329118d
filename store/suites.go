package store

import (
	"context"
	"database/sql"

	"github.com/perftrack/perftrack/runner/record"
)

// A Suite is a part of a run, measured together: the benchmarks in one package, or the scopes in
// one profile.
type Suite struct {
	Kind          record.Kind
	Package, Name string
}

// SuiteOf returns the suite of a benchmark.
func SuiteOf(id record.BenchmarkID) Suite { return Suite{id.Kind, id.Package, id.Suite} }

// Suites returns the sorted suites in each run selected by f, keyed by run id.
func (db *DB) Suites(ctx context.Context, f Filter) (map[string][]Suite, error) {
	q := db.withoutBad(db.filter(f))
	suites := map[string][]Suite{}
	err := db.read(ctx, func(tx *sql.Tx) error {
		return each(ctx, tx, `SELECT DISTINCT m.uid, b.kind, b.package, b.suite FROM results o
				JOIN runs m ON m.id = o.run_id JOIN benchmarks b ON b.id = o.benchmark_id
				WHERE o.run_id IN (SELECT r.id`+fromRuns+q.text()+`)
				ORDER BY m.uid, b.kind, b.package, b.suite`,
			q.args, func(rows *sql.Rows) error {
				var run string
				var s Suite
				err := rows.Scan(&run, &s.Kind, &s.Package, &s.Name)
				suites[run] = append(suites[run], s)
				return err
			})
	})
	if err != nil {
		return nil, db.fail("list suites of", err)
	}
	return suites, nil
}
