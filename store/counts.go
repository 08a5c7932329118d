package store

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
)

// counts holds, by benchmark, the numbers that the summaries of benchmarks should have.
type counts map[int64]*count

// A count is the number of runs with a benchmark, and with each of its units.
type count struct {
	runs  int
	last  int64 // row id of the newest run
	units map[int]int
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
	for _, unit := range row.units() {
		one.units[unit]++
	}
}

// read counts the rows of results n matching a condition.
func (c counts) read(ctx context.Context, tx *sql.Tx, condition string, arg any) error {
	return each(ctx, tx, `SELECT n.benchmark_id, n.run_id, n.rounds, n.samples FROM results n WHERE `+condition, []any{arg}, func(rows *sql.Rows) error {
		var benchmark, run int64
		var row resultRow
		err := rows.Scan(&benchmark, &run, &row.rounds, &row.samples)
		if err == nil {
			c.add(benchmark, run, &row)
		}
		return err
	})
}

// wrong returns how the summary of a benchmark differs from its count, or "". The count is nil if
// no run has the benchmark.
func (c *count) wrong(r *benchmarkRow) string {
	if c == nil {
		c = &count{}
	}
	unitRuns := make([]int, len(r.units))
	for unit, n := range c.units {
		if unit < len(unitRuns) {
			unitRuns[unit] = n
		}
	}
	switch {
	case c.runs != r.runs:
		return fmt.Sprintf("benchmark %s is in %d runs and its summary says %d", r.Name, c.runs, r.runs)
	case c.last != r.last:
		return fmt.Sprintf("benchmark %s is last in run %d and its summary says %d", r.Name, c.last, r.last)
	case !slices.Equal(unitRuns, r.unitRuns):
		return fmt.Sprintf("benchmark %s has the units %v in %v runs and its summary says %v", r.Name, r.units, unitRuns, r.unitRuns)
	}
	return ""
}

// Repair computes the summaries of all benchmarks anew from the results, in one transaction, and
// returns the number of those that were wrong. It does not change any run.
func (db *DB) Repair(ctx context.Context) (repaired int, err error) {
	err = db.write(ctx, func(ctx context.Context, tx *sql.Tx) error {
		counts := counts{}
		if err := counts.read(ctx, tx, "n.repository_id = $1", db.repository); err != nil {
			return err
		}
		var changed []*benchmarkRow
		err := each(ctx, tx, `SELECT `+benchmarkColumns+` FROM benchmarks b WHERE b.repository_id = $1`, []any{db.repository}, func(rows *sql.Rows) error {
			var r benchmarkRow
			err := r.scan(rows)
			if r.id == 0 || err == nil && counts[r.id].wrong(&r) == "" {
				return nil
			}
			r.set(counts[r.id])
			changed = append(changed, &r)
			return nil
		})
		if err != nil || len(changed) == 0 {
			return err
		}
		repaired = len(changed)
		return db.writeBenchmarks(ctx, tx, changed)
	})
	return repaired, db.fail("repair", err)
}

// set replaces the numbers of the summary.
func (r *benchmarkRow) set(c *count) {
	if c == nil {
		c = &count{}
	}
	r.runs, r.last = c.runs, c.last
	r.unitRuns = make([]int, len(r.units))
	for unit, n := range c.units {
		if unit < len(r.unitRuns) {
			r.unitRuns[unit] = n
		}
	}
}
