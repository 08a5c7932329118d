package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/perftrack/perftrack/runner/record"
)

// names caches the ids and units of benchmarks by row id. Neither ever changes, except that later
// runs add units at the end. The digests of the results reveal any damage to them.
type names struct {
	mu   sync.Mutex
	upTo int64                   // row id of the newest run whose benchmarks are known
	rows map[int64]*benchmarkRow // without counts
}

// namesUpTo returns the benchmarks of all runs up to the one with this row id, and perhaps others.
func (db *DB) namesUpTo(ctx context.Context, tx *sql.Tx, run int64) (map[int64]*benchmarkRow, error) {
	n := &db.names
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.rows != nil && run <= n.upTo {
		return n.rows, nil
	}
	fresh := map[int64]*benchmarkRow{}
	err := each(ctx, tx, `SELECT id, target, kind, suite, package, name, units FROM benchmarks WHERE repository_id = $1`, []any{db.repository}, func(rows *sql.Rows) error {
		var r benchmarkRow
		var units string
		err := rows.Scan(&r.id, &r.target, &r.Kind, &r.Suite, &r.Package, &r.Name, &units)
		if err == nil && json.Unmarshal([]byte(units), &r.units) == nil {
			fresh[r.id] = &r
		}
		return nil // readers of an unreadable row get an error
	})
	if err != nil {
		return nil, err
	}
	n.rows, n.upTo = fresh, run
	return n.rows, nil
}

// A scanner scans rows of the table results. The columns of its row are only valid until the next
// one.
type scanner struct {
	benchmark, run int64
	row            resultRow
	stored         int64 // the digest
	digest         digest
	into           []any
}

// resultList names the columns of the table results, with the alias n, that a scanner reads.
var resultList = "n.benchmark_id, n.run_id, n.rounds, n.samples, n.digest, n." + strings.Join(columnNames[:], ", n.")

func (s *scanner) scan(rows *sql.Rows) error {
	if s.into == nil {
		s.into = []any{&s.benchmark, &s.run, &s.row.rounds, &s.row.samples, &s.stored}
		for c := range s.row.columns {
			s.into = append(s.into, &s.row.columns[c])
		}
	}
	return rows.Scan(s.into...)
}

// check returns an error if the row does not belong to the benchmark and the run, or was changed.
func (s *scanner) check(uid string, b *benchmarkRow) error {
	if s.row.digestOf(&s.digest, uid, b.BenchmarkID, b.units) != s.stored {
		return errors.New("its row does not match its digest")
	}
	return nil
}

// rowsOf calls visit with the results of each benchmark in runs and the index of the run. runs must
// be in the order of their row ids. The row is only valid during the call. The error is
// [ErrDamaged] if a row does not match its digest or is missing.
func (db *DB) rowsOf(ctx context.Context, tx *sql.Tx, runs []record.RunInfo, visit func(run int, b *benchmarkRow, row *resultRow) error) error {
	first, last := runs[0].Seq, runs[len(runs)-1].Seq
	known, err := db.namesUpTo(ctx, tx, last)
	if err != nil {
		return err
	}
	index, found := make(map[int64]int, len(runs)), make([]int, len(runs))
	for i := range runs {
		index[runs[i].Seq] = i
	}
	query, args := ` FROM results n WHERE n.run_id = $1`, []any{first}
	if len(runs) > 1 { // the rows of a benchmark lie next to each other
		query = ` FROM benchmarks b CROSS JOIN results n WHERE b.repository_id = $1 AND n.repository_id = b.repository_id AND n.benchmark_id = b.id AND n.run_id BETWEEN $2 AND $3`
		args = []any{db.repository, first, last}
	}
	var s scanner
	err = each(ctx, tx, `SELECT `+resultList+query, args, func(rows *sql.Rows) error {
		if err := s.scan(rows); err != nil {
			return damaged(runs[index[s.run]].ID, "a benchmark", err)
		}
		i, wanted := index[s.run]
		if !wanted {
			return nil
		}
		run, b := &runs[i], known[s.benchmark]
		found[i]++
		switch {
		case b == nil:
			return damaged(run.ID, fmt.Sprintf("benchmark %d", s.benchmark), errors.New("it is missing or cannot be read"))
		case b.target != run.Target:
			return damaged(run.ID, b.Name, fmt.Errorf("it belongs to target %q, its run to %q", b.target, run.Target))
		}
		if err := s.check(run.ID, b); err != nil {
			return damaged(run.ID, b.Name, err)
		}
		return visit(i, b, &s.row)
	})
	if err != nil {
		return err
	}
	for i, run := range runs {
		if found[i] != run.Benchmarks && !db.found.salvage {
			return fmt.Errorf("run %s: %w: %d of %d benchmarks are found", run.ID, ErrDamaged, found[i], run.Benchmarks)
		}
	}
	return nil
}

func damaged(id, benchmark string, err error) error {
	return fmt.Errorf("run %s: %s: %w: %w", id, strings.Clone(benchmark), ErrDamaged, err)
}

// readRuns returns the runs with these headers, which must be in the order of their row ids. It
// calls count with each row. The error is [ErrDamaged] if one of the runs is damaged.
func (db *DB) readRuns(ctx context.Context, tx *sql.Tx, infos []record.RunInfo, count func(benchmark, run int64, row *resultRow)) ([]*record.Run, error) {
	runs := make([]*record.Run, len(infos))
	for i := range infos {
		run := infos[i].Run
		run.Benchmarks = make([]record.Benchmark, 0, infos[i].Benchmarks)
		runs[i] = &run
	}
	var free space
	err := db.rowsOf(ctx, tx, infos, func(i int, b *benchmarkRow, row *resultRow) error {
		full := record.Benchmark{BenchmarkID: b.BenchmarkID}
		if err := row.unpack(&full, b.units, &free); err != nil {
			return damaged(infos[i].ID, b.Name, err)
		}
		runs[i].Benchmarks = append(runs[i].Benchmarks, full)
		count(b.id, infos[i].Seq, row)
		return nil
	})
	return runs, err
}

// batchRounds is the approximate number of rounds at which a batch of runs ends.
const batchRounds = 200_000

// batch returns the number of runs, from the first on, to read together.
func batch(infos []record.RunInfo) (n int) {
	for rounds := 0; n < len(infos) && (n == 0 || rounds < batchRounds && infos[n].Seq > infos[n-1].Seq && infos[n].Seq-infos[0].Seq < 1000); n++ {
		rounds += infos[n].Benchmarks * infos[n].Rounds
	}
	return n
}

// Each calls visit with each run in infos. It omits damaged runs: see [DB.Damaged]. If infos is in
// the order of storage, Each is faster than calling [DB.Get] for each run. Each does not normalize
// the runs.
func (db *DB) Each(ctx context.Context, infos []record.RunInfo, visit func(record.RunInfo, *record.Run) error) error {
	for len(infos) > 0 {
		n := batch(infos)
		var runs []*record.Run
		together := db.read(ctx, func(tx *sql.Tx) (err error) {
			runs, err = db.readRuns(ctx, tx, infos[:n], func(int64, int64, *resultRow) {})
			return err
		})
		for i, info := range infos[:n] {
			var err error
			if together != nil { // find the damaged run
				runs[i], err = db.Get(ctx, info.ID)
			}
			if err == nil {
				err = visit(info, runs[i])
			} else if errors.Is(err, ErrDamaged) {
				continue
			}
			if err != nil {
				return err
			}
		}
		infos = infos[n:]
	}
	return nil
}
