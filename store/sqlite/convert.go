package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/store"
)

// convert fills the packed results of schema 8 from the tables of schema 7, where each list of
// numbers was a JSON array, and drops these tables.
func convert(ctx context.Context, tx *sql.Tx) error {
	err := store.Fill(ctx, tx, store.Backend{Insert: insert, Update: update}, func(run record.RunInfo) ([]record.Benchmark, error) {
		return readLists(ctx, tx, run)
	})
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `DROP TABLE packed_samples; DROP TABLE series; DROP TABLE rounds`)
	return err
}

// readLists returns the results of a run in schema 7.
func readLists(ctx context.Context, tx *sql.Tx, run record.RunInfo) ([]record.Benchmark, error) {
	rows, err := tx.QueryContext(ctx, `SELECT b.id, b.target, b.kind, b.suite, b.package, b.name,
			n.rounds, n.orders, n.iterations, n.seeds, n.slices, n.slice_spreads, n.slice_means, n.slow_slices
		FROM rounds n JOIN benchmarks b ON b.id = n.benchmark_id WHERE n.run_id = $1`, run.Seq)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var list []record.Benchmark
	index := map[int64]int{}
	for rows.Next() {
		var id int64
		var target string
		var b record.Benchmark
		var t roundLists
		if err := rows.Scan(&id, &target, &b.Kind, &b.Suite, &b.Package, &b.Name, &t[0], &t[1], &t[2], &t[3], &t[4], &t[5], &t[6], &t[7]); err != nil {
			return nil, err
		}
		if target != run.Target {
			return nil, fmt.Errorf("%s belongs to target %q, its run to %q", b.Name, target, run.Target)
		}
		if b.Rounds, err = t.parse(); err != nil {
			return nil, err
		}
		index[id] = len(list)
		list = append(list, b)
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	return list, readSampleLists(ctx, tx, run.Seq, list, index)
}

// readSampleLists adds the samples of a run to its benchmarks, whose row ids are in index.
func readSampleLists(ctx context.Context, tx *sql.Tx, run int64, list []record.Benchmark, index map[int64]int) error {
	rows, err := tx.QueryContext(ctx, `SELECT s.benchmark_id, s.unit, p.samples
		FROM packed_samples p JOIN series s ON s.id = p.series_id WHERE p.run_id = $1`, run)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var id int64
		var unit, text string
		if err := rows.Scan(&id, &unit, &text); err != nil {
			return err
		}
		i, ok := index[id]
		if !ok {
			return errors.New("samples without rounds")
		}
		values, err := parseList(text, parseSample)
		if err == nil && len(values) != len(list[i].Rounds) {
			err = fmt.Errorf("%d rounds and %d values in %s", len(list[i].Rounds), len(values), unit)
		}
		if err != nil {
			return err
		}
		list[i].Samples = append(list[i].Samples, record.Samples{Unit: unit, Values: values})
	}
	return rows.Err()
}

// roundLists holds the lists of a row of rounds: numbers, orders, iterations, seeds, slices, their
// spreads and means, and the parts of slow ones. The last four may be null.
type roundLists [8]sql.NullString

func (t roundLists) parse() ([]record.Round, error) {
	var rounds []record.Round
	for i, text := range t {
		if !text.Valid {
			continue
		}
		values, err := parseList(text.String, func(s string) (func(*record.Round), error) { return parseField(i, s) })
		if err != nil {
			return nil, err
		}
		if rounds == nil {
			rounds = make([]record.Round, len(values))
		}
		if len(values) != len(rounds) {
			return nil, fmt.Errorf("%d rounds and %d values", len(rounds), len(values))
		}
		for k, set := range values {
			set(&rounds[k])
		}
	}
	return rounds, nil
}

// parseField returns a function that sets the i-th field of a round, see roundLists.
func parseField(i int, s string) (func(*record.Round), error) {
	switch i {
	case 3: // a string, because SQL has no unsigned 64-bit integer
		n, err := strconv.ParseUint(strings.Trim(s, `"`), 10, 64)
		return func(r *record.Round) { r.Seed = n }, err
	case 5, 6, 7:
		v, err := parseSample(s)
		return func(r *record.Round) {
			switch i {
			case 5:
				r.Spread = v
			case 6:
				r.Mean = v
			default:
				r.Slow = v
			}
		}, err
	}
	n, err := strconv.Atoi(s)
	return func(r *record.Round) {
		switch i {
		case 0:
			r.N = n
		case 1:
			r.Order = n
		case 2:
			r.Iters = n
		default:
			r.Slices = n
		}
	}, err
}

func parseSample(s string) (float64, error) {
	if s == "null" {
		return math.NaN(), nil
	}
	v, err := strconv.ParseFloat(s, 64)
	if err == nil && (v != v || v < 0 || math.IsInf(v, 0)) {
		err = fmt.Errorf("%q is not a finite number of 0 or more", s)
	}
	return v, err
}

// parseList parses the elements of a JSON array of numbers or of strings of digits.
func parseList[T any](text string, parse func(string) (T, error)) ([]T, error) {
	n := len(text)
	if n < 2 || text[0] != '[' || text[n-1] != ']' {
		return nil, fmt.Errorf("%.40q is not a list", text)
	}
	values := make([]T, 0, 1+strings.Count(text, ","))
	for s := range strings.SplitSeq(text[1:n-1], ",") {
		v, err := parse(s)
		if err != nil {
			return nil, err
		}
		values = append(values, v)
	}
	return values, nil
}
