package store

import (
	"context"
	"database/sql"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/perftrack/perftrack/runner/record"
)

// A Filter selects runs. The zero value selects all runs, oldest first.
type Filter struct {
	Target      string
	Commit      string // prefix of the commit hash
	Branch      string
	Trial       string
	Environment string // an EnvironmentID
	Statuses    []record.Status
	Clean       bool // omit runs measured in a dirty work tree
	Measured    bool // only runs with samples
	Newest      bool // newest first, in the order of storage
	Limit       int  // maximum number of runs; 0 means no limit
}

// Baselines returns a copy of the filter that also requires runs to be usable as a baseline or as a
// point in the history: see [record.Run.Baseline].
func (f Filter) Baselines() Filter {
	f.Statuses, f.Clean, f.Measured = []record.Status{record.Complete}, true, true
	return f
}

// A query is the part of an SQL query after its FROM clause: conditions on runs r, environments e
// and trials t, and a tail with clauses such as ORDER BY and LIMIT.
type query struct {
	conditions []string
	args       []any
	tail       string
}

// where returns a query with one condition, in which $ stands for arg.
func (db *DB) where(condition string, arg any) query {
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

// isAll reports whether the filter selects all runs.
func (f Filter) isAll() bool { return reflect.DeepEqual(f, Filter{Newest: f.Newest}) }

// filter returns the query for the runs selected by f.
func (db *DB) filter(f Filter) query {
	q := db.where("r.repository_id = $", db.repository)
	for _, c := range []struct{ condition, value string }{
		{"r.target = $", f.Target},
		{"r.branch = $", f.Branch},
		{"t.name = $", f.Trial},
		{"e.key = $", f.Environment},
	} {
		if c.value != "" {
			q.and(c.condition, c.value)
		}
	}
	if f.Commit != "" {
		q.and("r.commit_sha >= $", f.Commit)
		q.and("r.commit_sha < $", f.Commit+"g") // no hex digit is greater than f
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

// Runs returns the runs selected by f, without their samples.
func (db *DB) Runs(ctx context.Context, f Filter) ([]record.RunInfo, error) {
	return db.runs(ctx, db.filter(f))
}

func (db *DB) runs(ctx context.Context, q query) (infos []record.RunInfo, err error) {
	err = db.read(ctx, func(tx *sql.Tx) error {
		infos, err = db.headers(ctx, tx, q)
		return err
	})
	return infos, db.fail("list runs of", err)
}

// A Trial holds the runs from one interleaved measurement, in the order in which they were stored.
type Trial struct {
	ID   string
	Runs []record.RunInfo
}

// Trials returns all trials, ordered by their first run.
func (db *DB) Trials(ctx context.Context) (trials []Trial, err error) {
	q := db.filter(Filter{})
	q.conditions = append(q.conditions, "r.trial_id IS NOT NULL")
	infos, err := db.runs(ctx, q)
	index := map[string]int{}
	for _, info := range infos {
		i, ok := index[info.Trial]
		if !ok {
			i, index[info.Trial] = len(trials), len(trials)
			trials = append(trials, Trial{ID: info.Trial})
		}
		trials[i].Runs = append(trials[i].Runs, info)
	}
	return trials, err
}

// A TargetInfo summarizes a target that has runs.
type TargetInfo struct {
	Name string
	Runs int
	Last record.RunInfo // the run that was stored last
}

// Targets returns all targets, sorted by name.
func (db *DB) Targets(ctx context.Context) ([]TargetInfo, error) {
	var counts map[string]int
	var last []record.RunInfo
	err := db.read(ctx, func(tx *sql.Tx) (err error) {
		q := db.withoutBad(db.where("r.repository_id = $", db.repository))
		if counts, err = countRuns(ctx, tx, q); err != nil {
			return err
		}
		last, err = db.headers(ctx, tx, query{conditions: []string{"r.id IN (SELECT max(r.id) FROM runs r" + q.text() + " GROUP BY r.target)"}, args: q.args})
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

// countRuns returns the number of runs of each target among those matching q.
func countRuns(ctx context.Context, tx *sql.Tx, q query) (map[string]int, error) {
	counts := map[string]int{}
	err := each(ctx, tx, `SELECT r.target, count(*) FROM runs r`+q.text()+` GROUP BY r.target`, q.args, func(rows *sql.Rows) error {
		var name string
		var n int
		err := rows.Scan(&name, &n)
		counts[name] = n
		return err
	})
	return counts, err
}

// A Suite is a part of a run that was measured together: the benchmarks in one package, or the
// scopes in one profile.
type Suite struct {
	Kind          record.Kind
	Package, Name string
}

// SuiteOf returns the suite that a benchmark belongs to.
func SuiteOf(id record.BenchmarkID) Suite { return Suite{id.Kind, id.Package, id.Suite} }

// Suites returns the sorted suites in each run that f selects, keyed by run id.
func (db *DB) Suites(ctx context.Context, f Filter) (map[string][]Suite, error) {
	q := db.withoutBad(db.filter(f))
	suites := map[string][]Suite{}
	err := db.read(ctx, func(tx *sql.Tx) error {
		return each(ctx, tx, `SELECT DISTINCT m.uid, b.kind, b.package, b.suite FROM results o
				JOIN runs m ON m.id = o.run_id JOIN benchmarks b ON b.id = o.benchmark_id
				WHERE o.run_id IN (SELECT r.id`+fromRuns+q.text()+`)
				ORDER BY m.uid, b.kind, b.package, b.suite`,
			q.args, func(rows *sql.Rows) error {
				var run string
				var s Suite
				err := rows.Scan(&run, &s.Kind, &s.Package, &s.Name)
				suites[run] = append(suites[run], s)
				return err
			})
	})
	if err != nil {
		return nil, db.fail("list suites of", err)
	}
	return suites, nil
}
