package store

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/perftrack/perftrack/runner/record"
)

// A benchmarkRow is a row of the table benchmarks. It sums up the benchmark's history.
type benchmarkRow struct {
	id     int64 // 0 before it is stored
	target string
	record.BenchmarkID
	runs     int      // number of runs with the benchmark
	last     int64    // row id of the newest of these runs, or 0
	units    []string // all units of any run, in the order of their appearance
	unitRuns []int    // number of runs with each unit
}

// benchmarkColumns are the columns of the table benchmarks (alias b) read by scan.
const benchmarkColumns = "b.id, b.target, b.kind, b.suite, b.package, b.name, b.runs, b.last_run, b.units, b.unit_runs, b.digest"

// scan reads the benchmarkColumns of a row and then the columns in more. It returns an error if they
// do not match their digest.
func (r *benchmarkRow) scan(rows *sql.Rows, more ...any) error {
	var units, unitRuns string
	var digest int64
	into := []any{&r.id, &r.target, &r.Kind, &r.Suite, &r.Package, &r.Name, &r.runs, &r.last, &units, &unitRuns, &digest}
	if err := rows.Scan(append(into, more...)...); err != nil {
		return fmt.Errorf("benchmark %s: %w: %w", r.Name, ErrDamaged, err)
	}
	err := json.Unmarshal([]byte(units), &r.units)
	if err == nil {
		err = json.Unmarshal([]byte(unitRuns), &r.unitRuns)
	}
	if err == nil && (len(r.units) != len(r.unitRuns) || r.digest(units, unitRuns) != digest) {
		err = errors.New("its row does not match its digest")
	}
	if err != nil {
		return fmt.Errorf("benchmark %s: %w: %w: see `perftrack db verify`", r.Name, ErrDamaged, err)
	}
	return nil
}

func (r *benchmarkRow) digest(units, unitRuns string) int64 {
	var d digest
	d.text(r.target, string(r.Kind), r.Suite, r.Package, r.Name, units, unitRuns)
	d.number(int64(r.runs), r.last)
	return d.sum()
}

// unit returns the index of a unit in r.units, adding the unit if it is new.
func (r *benchmarkRow) unit(name string) int {
	i := slices.Index(r.units, name)
	if i < 0 {
		i, r.units, r.unitRuns = len(r.units), append(r.units, name), append(r.unitRuns, 0)
	}
	return i
}

// count adds n to the number of runs with the benchmark, and with each unit of the row.
func (r *benchmarkRow) count(n int, row *resultRow) {
	r.runs += n
	for unit := range row.units() {
		if unit < len(r.unitRuns) {
			r.unitRuns[unit] += n
		}
	}
}

// few is the maximum number of benchmarks to look up one by one.
const few = 10

// readBenchmarks returns the stored rows of the benchmarks of a target. If wanted has only a few
// ids, the result has no other benchmarks.
func (db *DB) readBenchmarks(ctx context.Context, tx *sql.Tx, target string, wanted []record.BenchmarkID) (map[record.BenchmarkID]*benchmarkRow, error) {
	found := map[record.BenchmarkID]*benchmarkRow{}
	read := func(q query) error {
		return each(ctx, tx, `SELECT `+benchmarkColumns+` FROM benchmarks b`+q.text(), q.args, func(rows *sql.Rows) error {
			var r benchmarkRow
			if err := r.scan(rows); err != nil {
				return err
			}
			found[r.BenchmarkID] = &r
			return nil
		})
	}
	if len(wanted) > few {
		q := db.where("b.repository_id = $", db.repository)
		q.and("b.target = $", target)
		return found, read(q)
	}
	for _, id := range wanted {
		if err := read(db.benchmark(target, id)); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// benchmark returns the query for one benchmark.
func (db *DB) benchmark(target string, id record.BenchmarkID) query {
	q := db.where("b.repository_id = $", db.repository)
	for _, c := range []struct{ condition, value string }{
		{"b.target = $", target}, {"b.kind = $", string(id.Kind)}, {"b.suite = $", id.Suite}, {"b.package = $", id.Package}, {"b.name = $", id.Name},
	} {
		q.and(c.condition, c.value)
	}
	return q
}

// writeBenchmarks inserts new rows, setting their ids, and updates the others.
func (db *DB) writeBenchmarks(ctx context.Context, tx *sql.Tx, list []*benchmarkRow) error {
	var fresh, changed []*benchmarkRow
	for _, r := range list {
		if r.id == 0 {
			fresh = append(fresh, r)
		} else {
			changed = append(changed, r)
		}
	}
	if err := db.insertBenchmarks(ctx, tx, fresh); err != nil || len(changed) == 0 {
		return err
	}
	ids := columnOf("id", changed, func(r *benchmarkRow) int64 { return r.id })
	return db.backend.Update(ctx, tx, "benchmarks", append([]Column{ids}, summaryColumns(changed)...))
}

func (db *DB) insertBenchmarks(ctx context.Context, tx *sql.Tx, fresh []*benchmarkRow) error {
	if len(fresh) == 0 {
		return nil
	}
	err := db.backend.Insert(ctx, tx, "benchmarks", append([]Column{
		{"repository_id", slices.Repeat([]int64{db.repository}, len(fresh))},
		columnOf("target", fresh, func(r *benchmarkRow) string { return r.target }),
		columnOf("kind", fresh, func(r *benchmarkRow) string { return string(r.Kind) }),
		columnOf("suite", fresh, func(r *benchmarkRow) string { return r.Suite }),
		columnOf("package", fresh, func(r *benchmarkRow) string { return r.Package }),
		columnOf("name", fresh, func(r *benchmarkRow) string { return r.Name }),
	}, summaryColumns(fresh)...))
	if err != nil {
		return err
	}
	ids := make([]record.BenchmarkID, len(fresh))
	for i, r := range fresh {
		ids[i] = r.BenchmarkID
	}
	stored, err := db.readBenchmarks(ctx, tx, fresh[0].target, ids)
	for _, r := range fresh {
		if err == nil && stored[r.BenchmarkID] == nil {
			err = fmt.Errorf("benchmark %s vanished while it was inserted", r.Name)
		}
		if err != nil {
			return err
		}
		r.id = stored[r.BenchmarkID].id
	}
	return nil
}

// summaryColumns returns the columns of the rows that change with every run.
func summaryColumns(list []*benchmarkRow) []Column {
	units := func(r *benchmarkRow) string { return listJSON(r.units) }
	unitRuns := func(r *benchmarkRow) string { return listJSON(r.unitRuns) }
	return []Column{
		columnOf("runs", list, func(r *benchmarkRow) int64 { return int64(r.runs) }),
		columnOf("last_run", list, func(r *benchmarkRow) int64 { return r.last }),
		columnOf("units", list, units), columnOf("unit_runs", list, unitRuns),
		columnOf("digest", list, func(r *benchmarkRow) int64 { return r.digest(units(r), unitRuns(r)) }),
	}
}

// A BenchmarkInfo summarizes a benchmark with samples.
type BenchmarkInfo struct {
	Target string
	record.BenchmarkID
	Units []string // in the order of CompareUnits
	Runs  int      // number of runs that measured the benchmark
	Last  string   // id of the run stored last
}

// Benchmarks returns the benchmarks in the runs selected by f, sorted by target and id. Units and
// counts refer to these runs only. If f selects all runs of a target, or all runs, only the
// summaries of the benchmarks are read, so it is fast even for a large database.
func (db *DB) Benchmarks(ctx context.Context, f Filter) (infos []BenchmarkInfo, err error) {
	err = db.read(ctx, func(tx *sql.Tx) (err error) {
		whole := f
		whole.Target = ""
		if whole.isAll() && len(db.Damaged()) == 0 {
			infos, err = db.summaries(ctx, tx, f.Target)
		} else {
			infos, err = db.benchmarksOf(ctx, tx, f)
		}
		return err
	})
	if err != nil {
		return nil, db.fail("list benchmarks of", err)
	}
	for i := range infos {
		infos[i].Units = record.SeriesUnits(infos[i].Units)
		slices.SortFunc(infos[i].Units, record.CompareUnits)
	}
	slices.SortFunc(infos, func(a, b BenchmarkInfo) int {
		return cmp.Or(cmp.Compare(a.Target, b.Target), a.BenchmarkID.Compare(b.BenchmarkID))
	})
	return infos, nil
}

// summaries returns the benchmarks of a target, or of all targets if target is "".
func (db *DB) summaries(ctx context.Context, tx *sql.Tx, target string) (infos []BenchmarkInfo, err error) {
	q := db.where("b.repository_id = $", db.repository)
	if q.conditions = append(q.conditions, "b.runs > 0"); target != "" {
		q.and("b.target = $", target)
	}
	err = each(ctx, tx, `SELECT `+benchmarkColumns+`, r.uid FROM benchmarks b LEFT JOIN runs r ON r.id = b.last_run`+q.text(), q.args, func(rows *sql.Rows) error {
		var r benchmarkRow
		var last sql.NullString
		err := r.scan(rows, &last)
		if err == nil && !last.Valid {
			err = fmt.Errorf("benchmark %s: %w: its newest run is missing: see `perftrack db verify`", r.Name, ErrDamaged)
		}
		if err != nil {
			return err
		}
		i := BenchmarkInfo{Target: r.target, BenchmarkID: r.BenchmarkID, Runs: r.runs, Last: last.String}
		for k, unit := range r.units {
			if r.unitRuns[k] > 0 {
				i.Units = append(i.Units, unit)
			}
		}
		infos = append(infos, i)
		return nil
	})
	return infos, err
}

// benchmarksOf returns the benchmarks in some runs. It reads the results of all of them.
func (db *DB) benchmarksOf(ctx context.Context, tx *sql.Tx, f Filter) (infos []BenchmarkInfo, err error) {
	runs, err := db.headers(ctx, tx, db.filter(f))
	if err != nil {
		return nil, err
	}
	index := map[int64]int{}
	last := map[int64]int64{} // newest run of each benchmark
	for _, run := range runs {
		err := db.rowsOf(ctx, tx, []record.RunInfo{run}, func(_ int, b *benchmarkRow, row *resultRow) error {
			i, ok := index[b.id]
			if !ok {
				i, index[b.id] = len(infos), len(infos)
				infos = append(infos, BenchmarkInfo{Target: b.target, BenchmarkID: b.BenchmarkID})
			}
			info := &infos[i]
			if info.Runs++; run.Seq >= last[b.id] {
				last[b.id], info.Last = run.Seq, run.ID
			}
			for unit := range row.units() {
				if name := b.units[unit]; !slices.Contains(info.Units, name) {
					info.Units = append(info.Units, name)
				}
			}
			return nil
		})
		if err != nil {
			if err = db.unreadable(ctx, run, err); err != nil {
				return nil, err
			}
		}
	}
	return infos, nil
}
