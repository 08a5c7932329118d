package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
)

// counts holds, by benchmark, the numbers that the summaries of benchmarks should have.
type counts map[int64]*count

// A count is the number of runs with a benchmark, and with each of its units.
type count struct {
	runs, values int
	last         int64       // row id of the newest run
	units        map[int]int // by index, which may be any number if the row is damaged
}

// add counts one row of results.
func (c counts) add(benchmark, run int64, row *resultRow) {
	one := c[benchmark]
	if one == nil {
		one = &count{units: map[int]int{}}
		c[benchmark] = one
	}
	one.runs++
	one.last = max(one.last, run)
	for unit := range row.units() {
		one.units[unit]++
		one.values += row.rounds
	}
}

// read counts the rows of the table results (alias n) that match a condition.
func (c counts) read(ctx context.Context, tx *sql.Tx, condition string, args ...any) error {
	return each(ctx, tx, `SELECT n.benchmark_id, n.run_id, n.rounds, n.samples FROM results n WHERE `+condition, args, func(rows *sql.Rows) error {
		var benchmark, run int64
		var row resultRow
		err := rows.Scan(&benchmark, &run, &row.rounds, &row.samples)
		if err == nil {
			c.add(benchmark, run, &row)
		}
		return err
	})
}

// summary returns a copy of r with the correct numbers.
func (c counts) summary(r benchmarkRow) *benchmarkRow {
	r.runs, r.last, r.unitRuns = 0, 0, make([]int, len(r.units))
	if one := c[r.id]; one != nil {
		r.runs, r.last = one.runs, one.last
		for unit, n := range one.units {
			if unit < len(r.unitRuns) {
				r.unitRuns[unit] = n
			}
		}
	}
	return &r
}

// wrong describes how the summary of a benchmark differs from the correct one. It returns "" if
// they agree.
func (c counts) wrong(r *benchmarkRow) string {
	switch want := c.summary(*r); {
	case want.runs != r.runs:
		return fmt.Sprintf("benchmark %s is in %d runs and its summary says %d", r.Name, want.runs, r.runs)
	case want.last != r.last:
		return fmt.Sprintf("benchmark %s is last in run %d and its summary says %d", r.Name, want.last, r.last)
	case !slices.Equal(want.unitRuns, r.unitRuns):
		return fmt.Sprintf("benchmark %s has the units %v in %v runs and its summary says %v", r.Name, r.units, want.unitRuns, r.unitRuns)
	}
	return ""
}

// eachBenchmark calls visit with the summary of each benchmark and the error from reading it.
func (db *DB) eachBenchmark(ctx context.Context, tx *sql.Tx, visit func(*benchmarkRow, error) error) error {
	return each(ctx, tx, `SELECT `+benchmarkColumns+` FROM benchmarks b WHERE b.repository_id = $1 ORDER BY b.id`, []any{db.repository}, func(rows *sql.Rows) error {
		var r benchmarkRow
		return visit(&r, r.scan(rows))
	})
}

// Repair recomputes the summaries of all benchmarks from the results, and deletes damaged answers,
// in one transaction. It returns the number of wrong summaries and damaged answers. It does not
// change any run.
func (db *DB) Repair(ctx context.Context) (repaired int, err error) {
	err = db.write(ctx, func(ctx context.Context, tx *sql.Tx) error {
		counts := counts{}
		if err := counts.read(ctx, tx, "n.repository_id = $1", db.repository); err != nil {
			return err
		}
		var changed []*benchmarkRow
		err := db.eachBenchmark(ctx, tx, func(r *benchmarkRow, err error) error {
			if r.id != 0 && (err != nil || counts.wrong(r) != "") {
				changed = append(changed, counts.summary(*r))
			}
			return nil
		})
		if err != nil {
			return err
		}
		answers, err := db.badAnswers(ctx, tx)
		if err == nil && len(answers) > 0 { // all can be recomputed
			_, err = tx.ExecContext(ctx, `DELETE FROM answers WHERE repository_id = $1`, db.repository)
		}
		repaired = len(changed) + len(answers)
		return errors.Join(err, db.writeBenchmarks(ctx, tx, changed))
	})
	return repaired, db.fail("repair", err)
}
