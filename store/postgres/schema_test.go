package postgres

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/store"
	"github.com/perftrack/perftrack/store/storetest"
)

// raw returns a pool of connections that can change anything.
func raw(t *testing.T, a Address) *sql.DB {
	t.Helper()
	config, err := a.forWriting()
	if err != nil {
		t.Fatal(err)
	}
	db := pool(config, 1)
	t.Cleanup(func() { db.Close() })
	return db
}

// selected returns each row of the result as a line of values separated by spaces.
func selected(t *testing.T, db *sql.DB, text string) (out []string) {
	t.Helper()
	rows, err := db.Query(text)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	columns, _ := rows.Columns()
	for rows.Next() {
		values := make([]any, len(columns))
		into := make([]any, len(columns))
		for i := range values {
			into[i] = &values[i]
		}
		if err := rows.Scan(into...); err != nil {
			t.Fatal(err)
		}
		out = append(out, strings.TrimSuffix(fmt.Sprintln(values...), "\n"))
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}

// The stored data can be read with plain SQL.
func TestViews(t *testing.T) {
	ctx := context.Background()
	a := newAddress(t)
	r := storetest.Plain(strings.Repeat("a", 40), 1, 6)
	r.Trial, r.Side = "t1", record.Head
	bench := &r.Benchmarks[0]
	bench.Package = "example.org/m"
	bench.Rounds[2].Seed = 1<<64 - 1
	bench.Rounds[1].Slices, bench.Rounds[1].Spread = 30, 0.0125
	bench.Rounds[1].Mean, bench.Rounds[1].Slow = 12.5, 0.02
	none := math.NaN()
	bench.Samples = []record.Samples{
		{Unit: "ns/op", Values: []float64{30, 10, 1e20, 20.5, math.MaxFloat64, math.SmallestNonzeroFloat64}},
		{Unit: "GFLOPS", Values: []float64{3, none, 1, 2, 0x1p-1022, math.Float64frombits(1<<52 - 1)}},
		{Unit: "B/op", Values: []float64{none, none, 0, none, none, none}},
	}
	id, _, err := openAt(t, a, repository).Put(ctx, r)
	if err != nil {
		t.Fatal(err)
	}
	db := raw(t, a)
	got := selected(t, db, `SELECT commit_sha, target, package, suite, kind, benchmark, unit, round, round_order, iterations, seed, value
		FROM samples WHERE run = '`+id+`' ORDER BY unit, round`)
	head := strings.Repeat("a", 40) + " engine example.org/m enhanced bench GELU_1000 "
	want := []string{
		head + "B/op 3 0 100 18446744073709551615 0",
		head + "GFLOPS 1 0 100 0 3", head + "GFLOPS 3 0 100 18446744073709551615 1", head + "GFLOPS 4 0 100 3 2",
		head + "GFLOPS 5 0 100 4 2.2250738585072014e-308", head + "GFLOPS 6 0 100 5 2.225073858507201e-308",
		head + "ns/op 1 0 100 0 30", head + "ns/op 2 0 100 1 10", head + "ns/op 3 0 100 18446744073709551615 1e+20", head + "ns/op 4 0 100 3 20.5",
		head + "ns/op 5 0 100 4 1.7976931348623157e+308", head + "ns/op 6 0 100 5 5e-324",
	}
	if !slices.Equal(got, want) {
		t.Errorf("samples\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	got = selected(t, db, `SELECT commit_sha, started, status, trial, side, environment, benchmark, rounds, ns_per_op, gflops, bytes_per_op, allocs_per_op, repository FROM methods`)
	want = []string{strings.Repeat("a", 40) + " 2026-01-02T03:04:05Z complete t1 head " + r.Env.EnvironmentID() + " GELU_1000 6 25.25 1 0 <nil> " + repository}
	if !slices.Equal(got, want) {
		t.Errorf("methods\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	got = selected(t, db, `SELECT round, slices, slice_spread, slice_mean, slow_slices FROM samples WHERE unit = 'ns/op' AND round < 4 ORDER BY round`)
	if want = []string{"1 0 0 0 0", "2 30 0.0125 12.5 0.02", "3 0 0 0 0"}; !slices.Equal(got, want) {
		t.Errorf("slices\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// The history of a benchmark and the results of a run are read through an index.
func TestPlans(t *testing.T) {
	a := newAddress(t)
	db := openAt(t, a, repository)
	for i := range 20 {
		if _, _, err := db.Put(context.Background(), sample("", i)); err != nil {
			t.Fatal(err)
		}
	}
	r := raw(t, a)
	if _, err := r.Exec(`ANALYZE; SET enable_seqscan = off`); err != nil {
		t.Fatal(err)
	}
	for text, index := range map[string]string{
		`SELECT samples FROM results n WHERE n.repository_id = 1 AND n.benchmark_id = 2 ORDER BY n.run_id`:                   "results_pkey",
		`SELECT samples FROM results n WHERE n.run_id = 3`:                                                                   "results_run",
		`SELECT id FROM runs WHERE repository_id = 1 AND uid = 'x'`:                                                          "runs_repository_id_uid_key",
		`SELECT id FROM benchmarks WHERE repository_id = 1 AND target = 'a' AND name = 'b' AND package = '' AND suite = 'c'`: "benchmarks_repository_id_target_name",
		`SELECT ns_per_op FROM methods WHERE run = 'x' AND repository = 'y'`:                                                 "runs_repository_id_uid_key",
	} {
		if plan := strings.Join(selected(t, r, "EXPLAIN "+text), "\n"); !strings.Contains(plan, index) {
			t.Errorf("%s does not use %s:\n%s", text, index, plan)
		}
	}
}

// The schema itself refuses invalid data.
func TestConstraints(t *testing.T) {
	ctx := context.Background()
	a := newAddress(t)
	db := openAt(t, a, repository)
	if _, _, err := db.Put(ctx, sample("", 1)); err != nil {
		t.Fatal(err)
	}
	accepted := record.Acceptance{Target: "engine", Benchmark: "GELU_1000", Commit: strings.Repeat("a", 40), Reason: "exact", Time: time.Unix(1, 0)}
	if _, _, err := db.Accept(ctx, accepted); err != nil {
		t.Fatal(err)
	}
	r := raw(t, a)
	for _, s := range []string{
		`UPDATE results SET samples = '\x00'`, `UPDATE results SET samples = NULL`, `UPDATE results SET rounds = 0`, `UPDATE results SET run_id = 99`,
		`UPDATE results SET benchmark_id = 99`, `UPDATE results SET seeds = '\x0000'`, `UPDATE benchmarks SET runs = -1`, `UPDATE runs SET status = 'odd'`,
		`UPDATE runs SET uid = 'x'`, `UPDATE runs SET environment_id = 99`, `DELETE FROM environments`, `UPDATE acceptances SET reason = 'another'`,
		`DELETE FROM acceptances`, `INSERT INTO deleted_runs VALUES ('x', 1)`,
	} {
		if _, err := r.Exec(s); err == nil {
			t.Errorf("%s: done", s)
		}
	}
	if _, err := r.Exec(`DELETE FROM runs`); err != nil {
		t.Error(err)
	}
	if got := selected(t, r, `SELECT count(*) FROM results`); !slices.Equal(got, []string{"0"}) {
		t.Errorf("rows left of a deleted run: %v", got)
	}
}

// Every changed column is reported by its readers and by Verify.
func TestDamage(t *testing.T) {
	ctx := context.Background()
	a := newAddress(t)
	db := openAt(t, a, repository)
	for i := range 3 {
		if _, _, err := db.Put(ctx, sample("", i)); err != nil {
			t.Fatal(err)
		}
	}
	id, b := sample("", 1).ID(), sample("", 1).Benchmarks[0].BenchmarkID
	r := raw(t, a)
	where := ` WHERE run_id = (SELECT id FROM runs WHERE uid = '` + id + `')`
	for _, s := range []string{
		`UPDATE results SET digest = digest + 1` + where,
		`UPDATE results SET samples = set_byte(samples, 11, get_byte(samples, 11) # 1)` + where,
		`UPDATE results SET numbers = '\x0100000000000000'` + where,
		`UPDATE results SET seeds = NULL` + where,
		`UPDATE results SET iterations = '\x0100000000000000'` + where,
		`UPDATE results SET slow_slices = '\x0000000000000000'` + where,
		`DELETE FROM results` + where,
		`UPDATE runs SET branch = 'other' WHERE uid = '` + id + `'`,
		`UPDATE runs SET dirty = NOT dirty WHERE uid = '` + id + `'`,
		`UPDATE runs SET started = started + 1 WHERE uid = '` + id + `'`,
		`UPDATE environments SET settings = '{}'`,
		`UPDATE benchmarks SET runs = runs + 1`,
		`UPDATE benchmarks SET last_run = last_run - 1`,
		`UPDATE benchmarks SET unit_runs = replace(unit_runs, '3', '2')`,
		`UPDATE benchmarks SET name = name || 'x'`,
		`ALTER TABLE results DISABLE TRIGGER ALL; DELETE FROM environments`,
	} {
		t.Run(s, func(t *testing.T) {
			if _, err := r.Exec(`BEGIN; SET LOCAL session_replication_role = replica; CREATE TABLE keep_results AS TABLE results; CREATE TABLE keep_runs AS TABLE runs;
				CREATE TABLE keep_environments AS TABLE environments; CREATE TABLE keep_benchmarks AS TABLE benchmarks; ` + s + `; COMMIT`); err != nil {
				t.Fatal(err)
			}
			fresh := openAt(t, a, repository)
			_, err1 := fresh.Get(ctx, id)
			_, err2 := fresh.History(ctx, "engine", b)
			_, err3 := fresh.Benchmarks(ctx, store.Filter{})
			said := errors.Is(errors.Join(err1, err2, err3), store.ErrDamaged) || len(fresh.Damaged()) > 0
			v, err := fresh.Verify(ctx)
			if strings.Contains(s, "SET name") {
				said = said || err2 == nil // the benchmark is not found by its old name, but its run is damaged
			}
			if !said || err != nil || v.OK() {
				t.Errorf("reported %v, Verify %+v, %v", said, v, err)
			}
			if _, err := r.Exec(`BEGIN; SET LOCAL session_replication_role = replica; DELETE FROM results; DELETE FROM runs; DELETE FROM environments; DELETE FROM benchmarks;
				INSERT INTO environments TABLE keep_environments; INSERT INTO benchmarks TABLE keep_benchmarks; INSERT INTO runs TABLE keep_runs; INSERT INTO results TABLE keep_results;
				DROP TABLE keep_results, keep_runs, keep_environments, keep_benchmarks; COMMIT`); err != nil {
				t.Fatal(err)
			}
		})
	}
	if v, err := db.Verify(ctx); err != nil || !v.OK() {
		t.Errorf("at last: %+v, %v", v, err)
	}
}

// Several repositories share a database without seeing each other's data.
func TestRepositories(t *testing.T) {
	ctx := context.Background()
	a := newAddress(t)
	one, two := openAt(t, a, "one"), openAt(t, a, "two")
	id, _, err := one.Put(ctx, sample("", 1))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := two.Get(ctx, id); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("a run of another repository: %v", err)
	}
	if _, added, err := two.Put(ctx, sample("", 1)); err != nil || !added {
		t.Errorf("the same run in another repository: %v, %v", added, err)
	}
	if _, err := one.Delete(ctx, record.Deletion{Runs: []string{id}, Reason: "old", Time: time.Unix(1, 0)}); err != nil {
		t.Fatal(err)
	}
	if _, err := two.Get(ctx, id); err != nil {
		t.Errorf("after the other repository deleted its run: %v", err)
	}
	for _, db := range []*store.DB{one, two} {
		if v, err := db.Verify(ctx); err != nil || !v.OK() {
			t.Errorf("%+v, %v", v, err)
		}
	}
	if points, err := two.History(ctx, "engine", sample("", 1).Benchmarks[0].BenchmarkID); err != nil || len(points) != 1 {
		t.Errorf("%d points, %v", len(points), err)
	}
}

// The rights granted in docs/scaling.md are sufficient for writers and readers, and readers cannot
// write.
func TestRights(t *testing.T) {
	ctx := context.Background()
	page, err := os.ReadFile("../../docs/scaling.md")
	if err != nil {
		t.Fatal(err)
	}
	_, grants, _ := strings.Cut(string(page), "```sql\nGRANT")
	grants, _, found := strings.Cut("GRANT"+grants, "```")
	if !found {
		t.Fatal("docs/scaling.md grants nothing")
	}
	a := newAddress(t)
	as := func(user string) Address { return address(t, strings.Replace(a.url, "//postgres@", "//"+user+"@", 1)) }
	r := raw(t, a)
	if _, err := r.Exec(`CREATE ROLE writers LOGIN; CREATE ROLE readers LOGIN; REVOKE ALL ON SCHEMA public FROM public; GRANT USAGE ON SCHEMA public TO public`); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Exec(`DROP OWNED BY writers, readers; DROP ROLE writers, readers`) })
	if _, err := Open(ctx, as("writers"), repository); err == nil || !strings.Contains(err.Error(), "let the owner of the database run `perftrack db migrate`") {
		t.Errorf("a writer creates the tables: %v", err)
	}
	openAt(t, a, repository).Close()
	if _, err := r.Exec(grants); err != nil {
		t.Fatal(err)
	}
	db := openAt(t, as("writers"), "another/repository")
	id, _, err := db.Put(ctx, sample("", 1))
	if err != nil {
		t.Fatal(err)
	}
	if n, err := db.Delete(ctx, record.Deletion{Runs: []string{id}, Reason: "old", Time: time.Unix(1, 0)}); err != nil || n != 1 {
		t.Errorf("%d deleted, %v", n, err)
	}
	reader, err := OpenReadOnly(ctx, as("readers"), "another/repository")
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	if v, err := reader.Verify(ctx); err != nil || !v.OK() {
		t.Errorf("%+v, %v", v, err)
	}
	if _, _, err := reader.Put(ctx, sample("", 1)); !errors.Is(err, store.ErrReadOnly) {
		t.Errorf("a reader writes: %v", err)
	}
}
