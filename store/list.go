package store

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/perftrack/perftrack/runner/record"
)

// A Filter selects runs. Its zero value selects all, the first stored first.
type Filter struct {
	Target      string
	Commit      string // beginning of the commit's hash
	Branch      string
	Trial       string
	Environment string // an EnvironmentID
	Statuses    []record.Status
	Clean       bool // not those measured in a dirty work tree
	Measured    bool // only those that have samples
	Newest      bool // the last stored first
	Limit       int  // at most so many; 0 means all
}

// Baselines returns the filter narrowed to the runs that may serve as a
// baseline or a point of the history: see [Run.Baseline].
func (f Filter) Baselines() Filter {
	f.Statuses, f.Clean, f.Measured = []record.Status{record.Complete}, true, true
	return f
}

// A query is the part of a query behind its FROM: conditions on runs r,
// environments e and trials t, their order and number.
type query struct {
	conditions []string
	args       []any
	tail       string
}

// where returns a query with one condition, in which $ stands for arg.
func where(condition string, arg any) query {
	var q query
	q.and(condition, arg)
	return q
}

func (q *query) and(condition string, arg any) {
	q.conditions = append(q.conditions, strings.ReplaceAll(condition, "$", q.bind(arg)))
}

func (q *query) bind(arg any) string {
	q.args = append(q.args, arg)
	return "$" + strconv.Itoa(len(q.args))
}

func (q *query) text() string {
	if len(q.conditions) == 0 {
		return q.tail
	}
	return " WHERE " + strings.Join(q.conditions, " AND ") + q.tail
}

func (f Filter) query() query {
	var q query
	for _, c := range []struct{ condition, value string }{
		{"r.target = $", f.Target},
		{"r.commit_sha BETWEEN $ AND $ || 'g'", f.Commit}, // no hex digit is above f
		{"r.branch = $", f.Branch},
		{"t.name = $", f.Trial},
		{"e.key = $", f.Environment},
	} {
		if c.value != "" {
			q.and(c.condition, c.value)
		}
	}
	if len(f.Statuses) > 0 {
		var list []string
		for _, s := range f.Statuses {
			list = append(list, q.bind(string(s)))
		}
		q.conditions = append(q.conditions, "r.status IN ("+strings.Join(list, ", ")+")")
	}
	if f.Clean {
		q.and("r.dirty = $", false)
	}
	if f.Measured {
		q.conditions = append(q.conditions, "r.benchmarks > 0")
	}
	q.tail = " ORDER BY r.id"
	if f.Newest {
		q.tail += " DESC"
	}
	if f.Limit > 0 {
		q.tail += " LIMIT " + q.bind(f.Limit)
	}
	return q
}

// Runs returns the runs that f selects, without their samples.
func (db *DB) Runs(ctx context.Context, f Filter) ([]record.RunInfo, error) {
	return db.runs(ctx, f.query())
}

func (db *DB) runs(ctx context.Context, q query) (infos []record.RunInfo, err error) {
	err = db.read(ctx, func(tx *sql.Tx) error {
		infos, err = db.headers(ctx, tx, q)
		return err
	})
	return infos, db.fail("list runs of", err)
}

// A Trial is the runs that were measured together, in the order in which they
// were stored.
type Trial struct {
	ID   string
	Runs []record.RunInfo
}

// Trials returns all trials, the first begun first.
func (db *DB) Trials(ctx context.Context) ([]Trial, error) {
	infos, err := db.runs(ctx, query{conditions: []string{"r.trial_id IS NOT NULL"}, tail: " ORDER BY r.id"})
	if err != nil {
		return nil, err
	}
	var trials []Trial
	index := map[string]int{}
	for _, info := range infos {
		i, ok := index[info.Trial]
		if !ok {
			i = len(trials)
			index[info.Trial] = i
			trials = append(trials, Trial{ID: info.Trial})
		}
		trials[i].Runs = append(trials[i].Runs, info)
	}
	return trials, nil
}

// A TargetInfo is a target that has runs.
type TargetInfo struct {
	Name string
	Runs int
	Last record.RunInfo // the last one stored
}

// Targets returns all targets, sorted by name.
func (db *DB) Targets(ctx context.Context) ([]TargetInfo, error) {
	counts := map[string]int{}
	var last []record.RunInfo
	err := db.read(ctx, func(tx *sql.Tx) error {
		q := db.withoutBad(query{tail: " GROUP BY r.target"})
		err := each(ctx, tx, `SELECT r.target, count(*) FROM runs r`+q.text(), nil, func(rows *sql.Rows) error {
			var name string
			var n int
			err := rows.Scan(&name, &n)
			counts[name] = n
			return err
		})
		if err != nil {
			return err
		}
		last, err = db.headers(ctx, tx, query{conditions: []string{"r.id IN (SELECT max(r.id) FROM runs r" + q.text() + ")"}})
		return err
	})
	if err != nil {
		return nil, db.fail("list targets of", err)
	}
	var targets []TargetInfo
	for _, info := range last {
		targets = append(targets, TargetInfo{info.Target, counts[info.Target], info})
	}
	slices.SortFunc(targets, func(a, b TargetInfo) int { return strings.Compare(a.Name, b.Name) })
	return targets, nil
}

// A BenchmarkInfo is a benchmark that has samples.
type BenchmarkInfo struct {
	Target string
	record.BenchmarkID
	Units []string // in the order of CompareUnits
	Runs  int      // in how many it was measured
	Last  string   // id of the last of them stored
}

// Benchmarks returns the benchmarks of the runs that f selects, sorted by
// target and id; units and counts are those of these runs.
func (db *DB) Benchmarks(ctx context.Context, f Filter) ([]BenchmarkInfo, error) {
	q := db.withoutBad(f.query())
	rounds, series := "", "" // of all runs: whether a row is one of theirs need not be asked of each
	if len(q.conditions) > 0 || f.Limit > 0 {
		of := ` IN (SELECT r.id FROM runs r LEFT JOIN environments e ON e.id = r.environment_id LEFT JOIN trials t ON t.id = r.trial_id` + q.text() + `)`
		rounds, series = ` WHERE run_id`+of, ` AND p.run_id`+of
	}
	var infos []BenchmarkInfo
	index := map[int64]int{}
	err := db.read(ctx, func(tx *sql.Tx) error {
		counts, err := db.runsOf(ctx, tx)
		if err != nil {
			return err
		}
		err = each(ctx, tx, `SELECT b.id, b.target, b.kind, b.suite, b.package, b.name, l.runs, r.uid FROM (
				SELECT benchmark_id, count(*) AS runs, max(run_id) AS last FROM rounds`+rounds+`
				GROUP BY benchmark_id
			) l JOIN benchmarks b ON b.id = l.benchmark_id JOIN runs r ON r.id = l.last`,
			q.args, func(rows *sql.Rows) error {
				var row int64
				var i BenchmarkInfo
				err := rows.Scan(&row, &i.Target, &i.Kind, &i.Suite, &i.Package, &i.Name, &i.Runs, &i.Last)
				index[row] = len(infos)
				infos = append(infos, i)
				if n := counts[row]; err == nil && rounds == "" && counts != nil && n != i.Runs {
					err = fmt.Errorf("%s is found in %d of %d runs: %w: see `perftrack db verify`", i.Name, i.Runs, n, ErrDamaged)
				}
				return err
			})
		if err == nil && rounds == "" && counts != nil && len(infos) != len(counts) {
			err = fmt.Errorf("%d of %d benchmarks are found: %w: see `perftrack db verify`", len(infos), len(counts), ErrDamaged)
		}
		if err != nil {
			return err
		}
		return each(ctx, tx, `SELECT s.benchmark_id, s.unit
			FROM series s WHERE EXISTS (SELECT 1 FROM packed_samples p WHERE p.series_id = s.id`+series+`)`,
			q.args, func(rows *sql.Rows) error {
				var row int64
				var unit string
				err := rows.Scan(&row, &unit)
				if i, ok := index[row]; ok {
					infos[i].Units = append(infos[i].Units, unit)
				}
				return err
			})
	})
	if err != nil {
		return nil, db.fail("list benchmarks of", err)
	}
	for _, i := range infos {
		slices.SortFunc(i.Units, record.CompareUnits)
	}
	slices.SortFunc(infos, func(a, b BenchmarkInfo) int {
		if c := strings.Compare(a.Target, b.Target); c != 0 {
			return c
		}
		return a.BenchmarkID.Compare(b.BenchmarkID)
	})
	return infos, nil
}
