package store

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strings"
	"sync"

	"github.com/perftrack/perftrack/runner/record"
)

// names caches the ids and units of benchmarks by row id. Neither ever changes, except that units
// are added at the end. What is wrong in them shows in the digests of the results.
type names struct {
	mu   sync.Mutex
	rows map[int64]*benchmarkRow // without counts
}

// known returns the cached benchmarks.
func (n *names) known() map[int64]*benchmarkRow {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.rows
}

// read replaces the cache with all benchmarks of the repository.
func (n *names) read(ctx context.Context, tx *sql.Tx, repository int64) error {
	fresh := map[int64]*benchmarkRow{}
	err := each(ctx, tx, `SELECT id, target, kind, suite, package, name, units FROM benchmarks WHERE repository_id = $1`, []any{repository}, func(rows *sql.Rows) error {
		var r benchmarkRow
		var units string
		if err := rows.Scan(&r.id, &r.target, &r.Kind, &r.Suite, &r.Package, &r.Name, &units); err != nil {
			return nil // whoever needs the row gets an error
		}
		if json.Unmarshal([]byte(units), &r.units) == nil {
			fresh[r.id] = &r
		}
		return nil
	})
	n.mu.Lock()
	defer n.mu.Unlock()
	n.rows = fresh
	return err
}

// A scanner scans the columns of a row of the table results. The columns of its row are only valid
// until the next row.
type scanner struct {
	row     resultRow
	stored  int64 // the digest
	columns [roundColumns]sql.RawBytes
	samples sql.RawBytes
	digest  digest
}

// resultList names the columns of the table results, with the alias n, that a scanner reads.
var resultList = func() string {
	list := "n.rounds, n.samples, n.digest"
	for _, name := range columnNames {
		list += ", n." + name
	}
	return list
}()

// scan reads the columns in first and then those in resultList.
func (s *scanner) scan(rows *sql.Rows, first ...any) error {
	into := append(first, &s.row.rounds, &s.samples, &s.stored)
	for c := range s.columns {
		into = append(into, &s.columns[c])
	}
	if err := rows.Scan(into...); err != nil {
		return err
	}
	for c := range s.columns {
		s.row.columns[c] = s.columns[c]
	}
	s.row.samples = s.samples
	return nil
}

// check returns an error if the row does not belong to the benchmark and the run, or was changed.
func (s *scanner) check(uid string, b *benchmarkRow) error {
	if s.row.digestOf(&s.digest, uid, b.BenchmarkID, b.units) != s.stored {
		return errors.New("its row does not match its digest")
	}
	return nil
}

// clone returns a copy of the row that remains valid.
func (r *resultRow) clone() resultRow {
	c := *r
	for i, column := range r.columns {
		c.columns[i] = bytes.Clone(column)
	}
	c.samples = bytes.Clone(r.samples)
	return c
}

// rowsOf calls visit with the results of each benchmark of a run, in no particular order. The row is
// only valid during the call. The error is [ErrDamaged] if a row does not match its digest or is
// missing.
func (db *DB) rowsOf(ctx context.Context, tx *sql.Tx, run record.RunInfo, visit func(*benchmarkRow, *resultRow) error) error {
	found := 0
	missed := map[int64]scanner{} // rows of benchmarks that are not in the cache
	known := db.names.known()
	var s scanner
	one := func(s *scanner, b *benchmarkRow) error {
		found++
		if b.target != run.Target {
			return damaged(run.ID, b.Name, fmt.Errorf("it belongs to target %q, its run to %q", b.target, run.Target))
		}
		if err := s.check(run.ID, b); err != nil {
			return damaged(run.ID, b.Name, err)
		}
		return visit(b, &s.row)
	}
	err := each(ctx, tx, `SELECT n.benchmark_id, `+resultList+` FROM results n WHERE n.run_id = $1`, []any{run.Seq}, func(rows *sql.Rows) error {
		var id int64
		if err := s.scan(rows, &id); err != nil {
			return damaged(run.ID, "a benchmark", err)
		}
		b := known[id]
		if b == nil || !s.row.hasUnits(b) {
			missed[id] = scanner{row: s.row.clone(), stored: s.stored}
			return nil
		}
		return one(&s, b)
	})
	if err != nil {
		return err
	}
	if len(missed) > 0 {
		if err := db.names.read(ctx, tx, db.repository); err != nil {
			return err
		}
		known = db.names.known()
		for id, s := range maps.All(missed) {
			b := known[id]
			if b == nil {
				return damaged(run.ID, fmt.Sprintf("benchmark %d", id), errors.New("it is missing or cannot be read"))
			}
			if err := one(&s, b); err != nil {
				return err
			}
		}
	}
	if found != run.Benchmarks && !db.found.salvage {
		return fmt.Errorf("run %s: %w: %d of %d benchmarks are found", run.ID, ErrDamaged, found, run.Benchmarks)
	}
	return nil
}

// hasUnits reports whether all units of the row are among the known ones of the benchmark.
func (r *resultRow) hasUnits(b *benchmarkRow) bool {
	for _, unit := range r.units() {
		if unit >= len(b.units) {
			return false
		}
	}
	return true
}

func damaged(id, benchmark string, err error) error {
	return fmt.Errorf("run %s: %s: %w: %w", id, strings.Clone(benchmark), ErrDamaged, err)
}
