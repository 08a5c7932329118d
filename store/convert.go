package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"

	"github.com/perftrack/perftrack/runner/record"
)

// Convert completes the migration from schema 7, where each list of numbers was a JSON array, to
// schema 8. It packs the results of all runs, sets the digests, sums up the benchmarks and drops the
// old tables. A run that cannot be read or does not match its id gets no digest, so readers report it
// as damaged.
func Convert(ctx context.Context, tx *sql.Tx, b Backend) error {
	db := &DB{backend: b, repository: 1}
	var runs []int64
	var headers []header
	err := each(ctx, tx, `SELECT r.id, `+headerColumns+fromRuns+` ORDER BY r.id`, nil, func(rows *sql.Rows) error {
		if seq, h, _, err := scanHeader(rows); err == nil {
			runs, headers = append(runs, seq), append(headers, h)
		}
		return nil
	})
	var list []*benchmarkRow
	if err == nil {
		err = db.eachBenchmark(ctx, tx, func(r *benchmarkRow, err error) error {
			if r.id == 0 {
				return err
			}
			list = append(list, r) // only the digest is missing
			return nil
		})
	}
	if err == nil {
		err = db.writeBenchmarks(ctx, tx, list)
	}
	if err != nil {
		return err
	}
	for i, h := range headers {
		if err := db.convertRun(ctx, tx, runs[i], h); err != nil {
			return err
		}
	}
	_, err = tx.ExecContext(ctx, `DROP TABLE packed_samples; DROP TABLE series; DROP TABLE rounds`)
	return err
}

func (db *DB) convertRun(ctx context.Context, tx *sql.Tx, seq int64, h header) error {
	info := record.RunInfo{Seq: seq, ID: h.uid}
	err := h.parse(&info, map[string]record.Settings{})
	if err == nil {
		info.Run.Benchmarks, err = readLists(ctx, tx, info)
	}
	if err == nil {
		info.Run.Normalize()
		err = checkRun(&info.Run, info)
	}
	if err != nil {
		return ctx.Err() // the run remains without a digest
	}
	if err := db.insertResults(ctx, tx, &info, seq, pointers(info.Run.Benchmarks)); err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `UPDATE runs SET digest = $1 WHERE id = $2`, h.sum(), seq)
	return err
}

// readLists returns the results of a run in schema 7.
func readLists(ctx context.Context, tx *sql.Tx, run record.RunInfo) ([]record.Benchmark, error) {
	var list []record.Benchmark
	index := map[int64]int{} // by row id
	err := each(ctx, tx, `SELECT b.id, b.target, b.kind, b.suite, b.package, b.name,
			n.rounds, n.orders, n.iterations, n.seeds, n.slices, n.slice_spreads, n.slice_means, n.slow_slices
		FROM rounds n JOIN benchmarks b ON b.id = n.benchmark_id WHERE n.run_id = $1`, []any{run.Seq}, func(rows *sql.Rows) error {
		var id int64
		var target string
		var b record.Benchmark
		var lists [roundColumns]sql.NullString
		into := []any{&id, &target, &b.Kind, &b.Suite, &b.Package, &b.Name}
		for c := range lists {
			into = append(into, &lists[c])
		}
		err := rows.Scan(into...)
		if err == nil && target != run.Target {
			err = fmt.Errorf("%s belongs to target %q, its run to %q", b.Name, target, run.Target)
		}
		for c := 0; c < len(lists) && err == nil; c++ {
			if lists[c].Valid {
				err = setRounds(&b, c, lists[c].String)
			}
		}
		index[id] = len(list)
		list = append(list, b)
		return err
	})
	if err != nil {
		return nil, err
	}
	return list, each(ctx, tx, `SELECT s.benchmark_id, s.unit, p.samples
		FROM packed_samples p JOIN series s ON s.id = p.series_id WHERE p.run_id = $1`, []any{run.Seq}, func(rows *sql.Rows) error {
		var id int64
		var s record.Samples
		var text string
		if err := rows.Scan(&id, &s.Unit, &text); err != nil {
			return err
		}
		i, ok := index[id]
		if !ok {
			return errors.New("samples without rounds")
		}
		numbers, err := parseList(text, len(list[i].Rounds))
		for _, n := range numbers {
			v := math.NaN()
			if n != "" { // null
				v, err = n.Float64()
				err = errors.Join(err, checkValue(v))
			}
			if err != nil {
				return err
			}
			s.Values = append(s.Values, v)
		}
		list[i].Samples = append(list[i].Samples, s)
		return err
	})
}

// setRounds sets the field stored in a column for each round.
func setRounds(b *record.Benchmark, column int, text string) error {
	numbers, err := parseList(text, len(b.Rounds))
	if b.Rounds == nil {
		b.Rounds = make([]record.Round, len(numbers))
	}
	for i, n := range numbers {
		var bits uint64
		if column >= spreads {
			var v float64
			v, err = n.Float64()
			bits = math.Float64bits(v)
		} else {
			bits, err = strconv.ParseUint(string(n), 10, 64)
		}
		if err == nil {
			err = setField(column, &b.Rounds[i], bits)
		}
		if err != nil {
			return err
		}
	}
	return err
}

// parseList parses a list of numbers, which may be strings or null. It returns an error if n is not
// 0 and the list does not have n numbers.
func parseList(text string, n int) (list []json.Number, err error) {
	err = json.Unmarshal([]byte(text), &list)
	if err == nil && n > 0 && len(list) != n {
		err = fmt.Errorf("%d rounds and %d values", n, len(list))
	}
	return list, err
}
