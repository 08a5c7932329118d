package store

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/perftrack/perftrack/runner/record"
)

// Get returns the run with the given id, or whose id alone begins with it.
// Errors are [ErrNotFound], [*AmbiguousError], and [ErrDamaged] for a run that is
// not what was stored: its id is the hash of all it holds.
func (db *DB) Get(ctx context.Context, id string) (*record.Run, error) {
	if !record.IsHashPrefix(id) {
		return nil, fmt.Errorf("run id %q: %d to 64 hex digits name a run: %w", id, record.MinHashPrefix, ErrNotFound)
	}
	var run *record.Run
	err := db.read(ctx, func(tx *sql.Tx) error {
		uid, err := fullID(ctx, tx, id)
		if err != nil {
			return err
		}
		run, err = db.readSound(ctx, tx, where("r.uid = $", uid))
		return err
	})
	if err != nil {
		if err = db.fail("read run from", err); errors.Is(err, ErrDamaged) {
			db.found.noteOnce(id, err)
		}
		return nil, err
	}
	return run, nil
}

// readSound returns the one run that q selects, if it is what was stored.
func (db *DB) readSound(ctx context.Context, tx *sql.Tx, q query) (*record.Run, error) {
	info, err := selectRun(ctx, tx, q)
	var run *record.Run
	if err == nil {
		run, err = readRun(ctx, tx, info, db.backend.Arrays)
	}
	if err != nil {
		return nil, cmp.Or(db.unreadable(ctx, info, err), err)
	}
	if err := checkRun(run, info); err != nil {
		db.found.note(info.ID, info.Seq, err)
		return nil, fmt.Errorf("run %s: %w: %w", info.ID, ErrDamaged, err)
	}
	return run, nil
}

// fullID returns the one id that begins with prefix. All ids lie below
// prefix+"g" that do, as no hex digit is above f.
func fullID(ctx context.Context, tx *sql.Tx, prefix string) (string, error) {
	const most = 10 // candidates that a message names
	var ids []string
	err := each(ctx, tx, `SELECT uid FROM runs WHERE uid BETWEEN $1 AND $1 || 'g' ORDER BY uid LIMIT $2`,
		[]any{prefix, most}, func(rows *sql.Rows) error {
			var id string
			err := rows.Scan(&id)
			ids = append(ids, id)
			return err
		})
	switch {
	case err != nil:
		return "", err
	case len(ids) == 0:
		return "", fmt.Errorf("%w: %s", ErrNotFound, prefix)
	case len(ids) > 1:
		return "", &AmbiguousError{prefix, ids}
	}
	return ids[0], nil
}

// selectRuns returns the headers of the runs that match q, and those that cannot
// be read.
func selectRuns(ctx context.Context, tx *sql.Tx, q query) (infos []record.RunInfo, bad []BadRun, err error) {
	err = each(ctx, tx, `SELECT
			r.id, r.uid, r.target, r.commit_sha, r.tree, r.branch, r.dirty, r.commit_time, e.key, e.settings, r.facts,
			r.started, r.ended, r.tool, r.status, t.name, r.side, r.units, r.failures, r.benchmarks, r.max_rounds,
			e.id IS NULL OR t.id IS NULL AND r.trial_id IS NOT NULL
		FROM runs r LEFT JOIN environments e ON e.id = r.environment_id LEFT JOIN trials t ON t.id = r.trial_id`+q.text(),
		q.args, func(rows *sql.Rows) error {
			info, err := scanInfo(rows)
			if err != nil {
				bad = append(bad, BadRun{info.ID, info.Seq, err})
				return nil
			}
			infos = append(infos, info)
			return nil
		})
	return infos, bad, err
}

// selectRun returns the header of the one run that matches q. Where that cannot be
// read, it has at least the id.
func selectRun(ctx context.Context, tx *sql.Tx, q query) (record.RunInfo, error) {
	infos, bad, err := selectRuns(ctx, tx, q)
	switch {
	case err != nil:
		return record.RunInfo{}, err
	case len(bad) > 0:
		return record.RunInfo{ID: bad[0].ID, Seq: bad[0].Seq}, bad[0].Err
	case len(infos) != 1:
		return record.RunInfo{}, fmt.Errorf("%d runs where there was one: %w", len(infos), ErrDamaged)
	}
	return infos[0], nil
}

func scanInfo(rows *sql.Rows) (record.RunInfo, error) {
	var (
		i                          record.RunInfo
		commitTime, started, ended sql.NullInt64
		facts, units, failures     string
		trial, key, settings       sql.NullString
		parted                     bool
	)
	err := rows.Scan(
		&i.Seq, &i.ID, &i.Target, &i.Commit.SHA, &i.Commit.Tree, &i.Commit.Branch, &i.Commit.Dirty, &commitTime,
		&key, &settings, &facts, &started, &ended, &i.Tool, &i.Status, &trial, &i.Side, &units, &failures,
		&i.Benchmarks, &i.Rounds, &parted)
	if err == nil && parted {
		err = errors.New("its environment or trial is missing")
	}
	if err != nil {
		return i, fmt.Errorf("header of run %s: %w: %w", i.ID, ErrDamaged, err)
	}
	i.Commit.Time, i.Start, i.End = fromMicros(commitTime), fromMicros(started), fromMicros(ended)
	i.Trial, i.EnvironmentID = trial.String, key.String
	i.Env, err = parseSettings(settings.String)
	if err == nil {
		i.Facts, err = parseSettings(facts)
	}
	if err == nil {
		err = json.Unmarshal([]byte(units), &i.Units)
	}
	if err == nil {
		err = json.Unmarshal([]byte(failures), &i.Failures)
	}
	if err != nil {
		return i, fmt.Errorf("header of run %s: %w: %w", i.ID, ErrDamaged, err)
	}
	return i, nil
}

func parseSettings(text string) (record.Settings, error) {
	var object map[string]string
	if err := json.Unmarshal([]byte(text), &object); err != nil {
		return nil, err
	}
	var s record.Settings
	for key, value := range object {
		s = append(s, record.Setting{Key: key, Value: value})
	}
	s.Sort()
	return s, nil
}

func fromMicros(t sql.NullInt64) time.Time {
	if !t.Valid {
		return time.Time{}
	}
	return time.UnixMicro(t.Int64).UTC()
}

// readRun returns the whole run of a header.
func readRun(ctx context.Context, tx *sql.Tx, info record.RunInfo, arrays ArrayText) (*record.Run, error) {
	run := info.Run
	index := map[int64]int{} // of a benchmark, by its row
	err := each(ctx, tx, `SELECT b.id, b.target, b.kind, b.suite, b.package, b.name, `+roundLists+`
		FROM rounds n JOIN benchmarks b ON b.id = n.benchmark_id WHERE n.run_id = $1`,
		[]any{info.Seq}, func(rows *sql.Rows) error {
			var row int64
			var target string
			var b record.Benchmark
			var t roundTexts
			err := rows.Scan(append([]any{&row, &target, &b.Kind, &b.Suite, &b.Package, &b.Name}, t.scan()...)...)
			if err != nil {
				return damaged(info.ID, b.Name, err)
			}
			if target != run.Target {
				return damaged(info.ID, b.Name, fmt.Errorf("it is of target %q, its run of %q", target, run.Target))
			}
			if b.Rounds, err = t.parse(arrays); err != nil {
				return damaged(info.ID, b.Name, err)
			}
			index[row] = len(run.Benchmarks)
			run.Benchmarks = append(run.Benchmarks, b)
			return nil
		})
	if err != nil {
		return nil, err
	}
	err = each(ctx, tx, `SELECT s.benchmark_id, s.unit, p.samples
		FROM packed_samples p JOIN series s ON s.id = p.series_id WHERE p.run_id = $1`,
		[]any{info.Seq}, func(rows *sql.Rows) error {
			var row int64
			var unit, text string
			if err := rows.Scan(&row, &unit, &text); err != nil {
				return damaged(info.ID, unit, err)
			}
			i, ok := index[row]
			if !ok {
				return damaged(info.ID, unit, errors.New("samples without rounds"))
			}
			return addSamples(&run.Benchmarks[i], info.ID, unit, text, arrays)
		})
	if err != nil {
		return nil, err
	}
	run.Normalize()
	return &run, nil
}

func addSamples(b *record.Benchmark, id, unit, text string, arrays ArrayText) error {
	values, err := arrays.parseFloats(text)
	if err == nil && len(values) != len(b.Rounds) {
		err = fmt.Errorf("%d rounds and %d values in %s", len(b.Rounds), len(values), unit)
	}
	if err != nil {
		return damaged(id, b.Name, err)
	}
	b.Samples = append(b.Samples, record.Samples{Unit: unit, Values: values})
	return nil
}

// roundLists are the lists of a row of rounds n.
const roundLists = "n.rounds, n.orders, n.iterations, n.seeds, n.slices, n.slice_spreads, n.slice_means, n.slow_slices"

// roundTexts are the roundLists as they stand there. Without slices, the last four are null, and without
// means of them the last two.
type roundTexts struct {
	rounds, orders, iters, seeds string
	slices, spreads, means, slow sql.NullString
}

// scan returns where the roundLists of a row go.
func (t *roundTexts) scan() []any {
	return []any{&t.rounds, &t.orders, &t.iters, &t.seeds, &t.slices, &t.spreads, &t.means, &t.slow}
}

func (t roundTexts) parse(arrays ArrayText) ([]record.Round, error) {
	numbers, err1 := arrays.parseInts(t.rounds)
	orders, err2 := arrays.parseInts(t.orders)
	iters, err3 := arrays.parseInts(t.iters)
	seeds, err4 := arrays.parseSeeds(t.seeds)
	if err := errors.Join(err1, err2, err3, err4); err != nil {
		return nil, err
	}
	n := len(numbers)
	if len(orders) != n || len(iters) != n || len(seeds) != n {
		return nil, fmt.Errorf("%d rounds, %d orders, %d iterations and %d seeds", n, len(orders), len(iters), len(seeds))
	}
	rounds := make([]record.Round, n)
	for i := range rounds {
		rounds[i] = record.Round{N: numbers[i], Order: orders[i], Iters: iters[i], Seed: seeds[i]}
	}
	if !t.slices.Valid {
		return rounds, nil
	}
	kept, err1 := arrays.parseInts(t.slices.String)
	spreads, err2 := arrays.parseFloats(t.spreads.String)
	if err := errors.Join(err1, err2); err != nil {
		return nil, err
	}
	if len(kept) != n || len(spreads) != n {
		return nil, fmt.Errorf("%d rounds, %d numbers of slices and %d spreads", n, len(kept), len(spreads))
	}
	for i := range rounds {
		rounds[i].Slices, rounds[i].Spread = kept[i], spreads[i]
	}
	if !t.means.Valid {
		return rounds, nil
	}
	means, err1 := arrays.parseFloats(t.means.String)
	slow, err2 := arrays.parseFloats(t.slow.String)
	if err := errors.Join(err1, err2); err != nil {
		return nil, err
	}
	if len(means) != n || len(slow) != n {
		return nil, fmt.Errorf("%d rounds, %d means of slices and %d parts of slow ones", n, len(means), len(slow))
	}
	for i := range rounds {
		rounds[i].Mean, rounds[i].Slow = means[i], slow[i]
	}
	return rounds, nil
}

func damaged(id, benchmark string, err error) error {
	return fmt.Errorf("run %s: %s: %w: %w", id, benchmark, ErrDamaged, err)
}
