package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"iter"
	"time"

	"github.com/perftrack/perftrack/runner/record"
)

// Put stores run, in one transaction, and returns its id. A run that is
// already there is left as it is and added is false, so repeating a Put whose
// outcome is unknown is always safe. So it is with a run that was deleted, which
// stays deleted: see [DB.Delete].
//
// The run is first brought into the order of its canonical text. One that
// could not be read back as it is, exceeds a limit, has no target, or no sample
// where it should ([ErrNoSamples]), is refused. Once begun, the transaction runs to its end
// even when ctx is cancelled.
func (db *DB) Put(ctx context.Context, run *record.Run) (id string, added bool, err error) {
	if err := run.Validate(); err != nil {
		return "", false, fmt.Errorf("store run: %w", err)
	}
	info := record.RunInfo{Run: *run, ID: run.ID(), Benchmarks: len(run.Benchmarks), Rounds: run.Rounds()}
	return db.put(ctx, info, func(yield func(*record.Benchmark) bool) {
		for i := range run.Benchmarks {
			if !yield(&run.Benchmarks[i]) {
				return
			}
		}
	})
}

// PutPacked is [DB.Put] of a run whose samples are packed.
func (db *DB) PutPacked(ctx context.Context, run *record.Packed) (id string, added bool, err error) {
	if err := run.Validate(); err != nil {
		return "", false, fmt.Errorf("store run: %w", err)
	}
	info := record.RunInfo{Run: run.Header, ID: run.ID(), Benchmarks: run.Len(), Rounds: run.Rounds()}
	return db.put(ctx, info, run.Benchmarks())
}

// put stores a run of these benchmarks.
func (db *DB) put(ctx context.Context, run record.RunInfo, benchmarks iter.Seq[*record.Benchmark]) (id string, added bool, err error) {
	if run.Target == "" {
		return "", false, errors.New("store run: the run has no target")
	}
	err = db.write(ctx, func(ctx context.Context, tx *sql.Tx) error {
		var seq int64
		err := tx.QueryRowContext(ctx, `SELECT id FROM runs WHERE uid = $1`, run.ID).Scan(&seq)
		if !errors.Is(err, sql.ErrNoRows) {
			return err // nil when it is there
		}
		if gone, err := isDeleted(ctx, tx, run.ID); gone || err != nil {
			return err
		}
		added = true
		p := putter{ctx: ctx, tx: tx, arrays: db.backend.Arrays, stmts: map[string]*sql.Stmt{}}
		return p.run(&run, benchmarks)
	})
	if err != nil {
		return "", false, db.fail("write run to", err)
	}
	return run.ID, added, nil
}

// A putter inserts one run. Each statement is prepared once.
type putter struct {
	ctx    context.Context
	tx     *sql.Tx
	arrays ArrayText
	stmts  map[string]*sql.Stmt // closed with the transaction
}

func (p *putter) stmt(query string) (*sql.Stmt, error) {
	if s := p.stmts[query]; s != nil {
		return s, nil
	}
	s, err := p.tx.PrepareContext(p.ctx, query)
	p.stmts[query] = s
	return s, err
}

func (p *putter) exec(query string, args ...any) error {
	s, err := p.stmt(query)
	if err == nil {
		_, err = s.ExecContext(p.ctx, args...)
	}
	return err
}

// id returns the id of the row that find selects, which insert makes if need
// be. Both take the same arguments. Another process may insert it first.
func (p *putter) id(find, insert string, args ...any) (id int64, err error) {
	for range 2 {
		s, err := p.stmt(find)
		if err != nil {
			return 0, err
		}
		err = s.QueryRowContext(p.ctx, args...).Scan(&id)
		if !errors.Is(err, sql.ErrNoRows) {
			return id, err
		}
		if err := p.exec(insert, args...); err != nil {
			return 0, err
		}
	}
	return 0, errors.New("a row vanished while it was inserted")
}

func (p *putter) run(r *record.RunInfo, benchmarks iter.Seq[*record.Benchmark]) error {
	environment, err := p.environment(r.Env)
	if err != nil {
		return err
	}
	var trial sql.NullInt64
	if r.Trial != "" {
		trial.Valid = true
		trial.Int64, err = p.id(
			`SELECT id FROM trials WHERE name = $1`,
			`INSERT INTO trials (name) VALUES ($1) ON CONFLICT DO NOTHING`, r.Trial)
		if err != nil {
			return err
		}
	}
	var seq int64
	err = p.tx.QueryRowContext(p.ctx, `INSERT INTO runs (
			uid, target, commit_sha, tree, branch, dirty, commit_time, environment_id, facts, started, ended,
			tool, status, trial_id, side, units, failures, benchmarks, max_rounds)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19)
		RETURNING id`,
		r.ID, r.Target, r.Commit.SHA, r.Commit.Tree, r.Commit.Branch, r.Commit.Dirty, micros(r.Commit.Time),
		environment, settingsJSON(r.Facts), micros(r.Start), micros(r.End),
		r.Tool, string(r.Status), trial, string(r.Side), listJSON(r.Units), listJSON(r.Failures), r.Benchmarks, r.Rounds,
	).Scan(&seq)
	if err != nil {
		return err
	}
	for b := range benchmarks {
		if err := p.benchmark(seq, r.Target, b); err != nil {
			return err
		}
	}
	return nil
}

func (p *putter) environment(env record.Settings) (int64, error) {
	key, settings := env.EnvironmentID(), settingsJSON(env)
	id, err := p.id(
		`SELECT id FROM environments WHERE key = $1 AND settings = $2`,
		`INSERT INTO environments (key, settings) VALUES ($1, $2)`, key, settings)
	if err != nil {
		return 0, fmt.Errorf("environment %s: %w", key, err)
	}
	return id, nil
}

func (p *putter) benchmark(seq int64, target string, b *record.Benchmark) error {
	benchmark, err := p.id(
		`SELECT id FROM benchmarks WHERE target = $1 AND kind = $2 AND suite = $3 AND package = $4 AND name = $5`,
		`INSERT INTO benchmarks (target, kind, suite, package, name) VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING`,
		target, string(b.Kind), b.Suite, b.Package, b.Name)
	if err != nil {
		return err
	}
	if err := p.rounds(benchmark, seq, b.Rounds); err != nil {
		return err
	}
	for _, s := range b.Samples {
		series, err := p.id(
			`SELECT id FROM series WHERE benchmark_id = $1 AND unit = $2`,
			`INSERT INTO series (benchmark_id, unit) VALUES ($1, $2) ON CONFLICT DO NOTHING`, benchmark, s.Unit)
		if err != nil {
			return err
		}
		err = p.exec(`INSERT INTO packed_samples (series_id, run_id, samples) VALUES ($1, $2, $3)`,
			series, seq, p.arrays.floats(s.Values))
		if err != nil {
			return err
		}
	}
	return nil
}

// rounds inserts when the samples of a benchmark were taken.
func (p *putter) rounds(benchmark, seq int64, list []record.Round) error {
	n := len(list)
	rounds, orders, iters, seeds := make([]int, n), make([]int, n), make([]int, n), make([]uint64, n)
	sliced, averaged := false, false
	for i, r := range list {
		rounds[i], orders[i], iters[i], seeds[i] = r.N, r.Order, r.Iters, r.Seed
		sliced, averaged = sliced || r.Slices > 0, averaged || r.Mean > 0 || r.Slow > 0
	}
	var slices, spreads, means, slow sql.NullString
	if sliced {
		counts, deviations := make([]int, n), make([]float64, n)
		for i, r := range list {
			counts[i], deviations[i] = r.Slices, r.Spread
		}
		slices = sql.NullString{String: p.arrays.ints(counts), Valid: true}
		spreads = sql.NullString{String: p.arrays.floats(deviations), Valid: true}
	}
	if averaged {
		times, parts := make([]float64, n), make([]float64, n)
		for i, r := range list {
			times[i], parts[i] = r.Mean, r.Slow
		}
		means = sql.NullString{String: p.arrays.floats(times), Valid: true}
		slow = sql.NullString{String: p.arrays.floats(parts), Valid: true}
	}
	return p.exec(`INSERT INTO rounds (benchmark_id, run_id, rounds, orders, iterations, seeds, slices, slice_spreads, slice_means, slow_slices)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
		benchmark, seq, p.arrays.ints(rounds), p.arrays.ints(orders), p.arrays.ints(iters), p.arrays.seeds(seeds), slices, spreads, means, slow)
}

// settingsJSON returns the settings as a JSON object, its keys sorted.
func settingsJSON(s record.Settings) string {
	object := make(map[string]string, len(s))
	for _, f := range s {
		object[f.Key] = f.Value
	}
	return record.CompactJSON(object)
}

func listJSON[T any](list []T) string {
	if len(list) == 0 {
		return "[]"
	}
	return record.CompactJSON(list)
}

func micros(t time.Time) sql.NullInt64 {
	return sql.NullInt64{Int64: t.UnixMicro(), Valid: !t.IsZero()}
}
