package store

import (
	"cmp"
	"context"
	"database/sql"
	"maps"
	"slices"

	"github.com/perftrack/perftrack/runner/record"
)

// Stats says how much a database holds.
type Stats struct {
	Schema         int
	Bytes          int64 // size of the database on disk
	Runs, Values   int   // a value is one unit of a benchmark in one round
	Benchmarks     int   // benchmarks of some run
	Units          int   // different units of these benchmarks
	Oldest, Newest record.RunInfo
	Targets        []TargetStats // most values first
}

// TargetStats says how much a database holds of a target.
type TargetStats struct {
	Name                     string
	Runs, Benchmarks, Values int
}

// Stats reads how much the database holds. It calls did after each benchmark. Oldest and Newest go by
// the start of a run or, if that is unknown, its end or the time of its commit.
func (db *DB) Stats(ctx context.Context, did func(done, of int)) (s Stats, err error) {
	if s.Schema, err = db.SchemaVersion(ctx); err != nil {
		return s, err
	}
	if s.Bytes, err = db.backend.Size(ctx); err != nil {
		return s, db.fail("read the size of", err)
	}
	err = db.read(ctx, func(tx *sql.Tx) error {
		targets := map[string]*TargetStats{}
		if err := s.readRuns(ctx, tx, db, targets); err != nil {
			return err
		}
		if err := s.readValues(ctx, tx, db, targets, did); err != nil {
			return err
		}
		for _, name := range slices.Sorted(maps.Keys(targets)) {
			s.Targets = append(s.Targets, *targets[name])
		}
		slices.SortStableFunc(s.Targets, func(a, b TargetStats) int { return cmp.Compare(b.Values, a.Values) })
		return nil
	})
	return s, db.fail("count the content of", err)
}

// readRuns counts the runs, including damaged ones, and finds the oldest and the newest.
func (s *Stats) readRuns(ctx context.Context, tx *sql.Tx, db *DB, targets map[string]*TargetStats) error {
	err := each(ctx, tx, `SELECT target, count(*) FROM runs WHERE repository_id = $1 GROUP BY target`, []any{db.repository}, func(rows *sql.Rows) error {
		var t TargetStats
		err := rows.Scan(&t.Name, &t.Runs)
		targets[t.Name] = &t
		s.Runs += t.Runs
		return err
	})
	if err != nil {
		return err
	}
	const at = "coalesce(r.started, r.ended, r.commit_time)"
	for _, end := range []struct {
		order string
		into  *record.RunInfo
	}{{at + ", r.id", &s.Oldest}, {at + " DESC, r.id DESC", &s.Newest}} {
		q := db.where("r.repository_id = $", db.repository)
		q.conditions, q.tail = append(q.conditions, at+" IS NOT NULL"), " ORDER BY "+end.order+" LIMIT 1"
		infos, err := db.headers(ctx, tx, q)
		if err != nil {
			return err
		}
		if len(infos) > 0 {
			*end.into = infos[0]
		}
	}
	return nil
}

// readValues counts the benchmarks, their units and their values.
func (s *Stats) readValues(ctx context.Context, tx *sql.Tx, db *DB, targets map[string]*TargetStats, did func(done, of int)) error {
	var list []benchmarkRow
	err := each(ctx, tx, `SELECT `+benchmarkColumns+` FROM benchmarks b WHERE b.repository_id = $1 AND b.runs > 0 ORDER BY b.id`, []any{db.repository}, func(rows *sql.Rows) error {
		var r benchmarkRow
		err := r.scan(rows)
		list = append(list, r)
		return err
	})
	if err != nil {
		return err
	}
	units := map[string]bool{}
	for i, b := range list {
		for k, unit := range b.units {
			if b.unitRuns[k] > 0 {
				units[unit] = true
			}
		}
		values, err := countValues(ctx, tx, b.id)
		if err != nil {
			return err
		}
		t := targets[b.target]
		if t == nil { // its runs are damaged
			t = &TargetStats{Name: b.target}
			targets[b.target] = t
		}
		t.Benchmarks++
		t.Values += values
		s.Values += values
		did(i+1, len(list))
	}
	s.Benchmarks, s.Units = len(list), len(units)
	return nil
}

// countValues counts the values of a benchmark.
func countValues(ctx context.Context, tx *sql.Tx, benchmark int64) (n int, err error) {
	var row resultRow
	err = each(ctx, tx, `SELECT rounds, samples FROM results WHERE benchmark_id = $1`, []any{benchmark}, func(rows *sql.Rows) error {
		err := rows.Scan(&row.rounds, &row.samples)
		n += row.rounds * len(row.units())
		return err
	})
	return n, err
}
