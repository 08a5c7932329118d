package store

import (
	"cmp"
	"context"
	"database/sql"
	"slices"

	"github.com/perftrack/perftrack/runner/record"
)

// Stats holds the size of a database and the counts of its contents.
type Stats struct {
	Schema         int
	Bytes          int64 // size of the database on disk
	Runs, Values   int   // a value is one unit of a benchmark in one round
	Benchmarks     int   // number of benchmarks with a run
	Units          int   // number of different units of these benchmarks
	Oldest, Newest record.RunInfo
	Targets        []TargetStats // most values first
}

// TargetStats holds the counts for one target.
type TargetStats struct {
	Name                     string
	Runs, Benchmarks, Values int
}

// Stats returns the size of the database and the counts of its contents. It calls did after each
// benchmark. Oldest and Newest are determined by the start of a run or, if that is unknown, by its
// end or the time of its commit. Runs includes damaged runs.
func (db *DB) Stats(ctx context.Context, did func(done, of int)) (s Stats, err error) {
	if s.Schema, err = db.SchemaVersion(ctx); err != nil {
		return s, err
	}
	if err := db.backend.Reader.QueryRowContext(ctx, db.backend.Size).Scan(&s.Bytes); err != nil {
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
		for name, t := range targets {
			t.Name = name
			s.Targets = append(s.Targets, *t)
		}
		slices.SortFunc(s.Targets, func(a, b TargetStats) int {
			return cmp.Or(cmp.Compare(b.Values, a.Values), cmp.Compare(a.Name, b.Name))
		})
		return nil
	})
	return s, db.fail("count the content of", err)
}

// readRuns counts the runs and finds the oldest and the newest.
func (s *Stats) readRuns(ctx context.Context, tx *sql.Tx, db *DB, targets map[string]*TargetStats) error {
	counts, err := countRuns(ctx, tx, db.where("r.repository_id = $", db.repository))
	for name, n := range counts {
		targets[name] = &TargetStats{Runs: n}
		s.Runs += n
	}
	const at = "coalesce(r.started, r.ended, r.commit_time)"
	for order, into := range map[string]*record.RunInfo{at + ", r.id": &s.Oldest, at + " DESC, r.id DESC": &s.Newest} {
		if err != nil {
			return err
		}
		q := db.where("r.repository_id = $", db.repository)
		q.conditions, q.tail = append(q.conditions, at+" IS NOT NULL"), " ORDER BY "+order+" LIMIT 1"
		var infos []record.RunInfo
		if infos, err = db.headers(ctx, tx, q); len(infos) > 0 {
			*into = infos[0]
		}
	}
	return err
}

// readValues counts the benchmarks, their units and their values.
func (s *Stats) readValues(ctx context.Context, tx *sql.Tx, db *DB, targets map[string]*TargetStats, did func(done, of int)) error {
	var list []*benchmarkRow
	units := map[string]bool{}
	err := db.eachBenchmark(ctx, tx, func(r *benchmarkRow, err error) error {
		if err == nil && r.runs > 0 {
			list = append(list, r)
			for k, unit := range r.units {
				if r.unitRuns[k] > 0 {
					units[unit] = true
				}
			}
		}
		return err
	})
	s.Benchmarks, s.Units = len(list), len(units)
	for i, b := range list {
		counted := counts{b.id: {units: map[int]int{}}}
		if err == nil {
			err = counted.read(ctx, tx, "n.repository_id = $1 AND n.benchmark_id = $2", db.repository, b.id)
		}
		if err != nil {
			return err
		}
		if targets[b.target] == nil { // its runs are damaged
			targets[b.target] = &TargetStats{}
		}
		t := targets[b.target]
		t.Benchmarks++
		t.Values += counted[b.id].values
		s.Values += counted[b.id].values
		did(i+1, len(list))
	}
	return err
}
