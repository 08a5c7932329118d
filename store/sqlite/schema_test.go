package sqlite

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/store/storetest"
)

// The stored data can be read with plain SQL.
func TestViews(t *testing.T) {
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "perftrack.db")
	b, err := open(ctx, path, defaults())
	if err != nil {
		t.Fatal(err)
	}
	defer b.close()
	r := storetest.Plain(strings.Repeat("a", 40), 1, 4)
	r.Trial, r.Side = "t1", record.Head
	bench := &r.Benchmarks[0]
	bench.Package = "example.org/m"
	bench.Rounds[2].Seed = 1<<64 - 1
	bench.Rounds[1].Slices, bench.Rounds[1].Spread = 30, 0.0125
	bench.Rounds[1].Mean, bench.Rounds[1].Slow = 12.5, 0.02
	bench.Samples = []record.Samples{
		{Unit: "ns/op", Values: []float64{30, 10, 1e20, 20.5}},
		{Unit: "GFLOPS", Values: []float64{3, math.NaN(), 1, 2}},
		{Unit: "B/op", Values: []float64{math.NaN(), math.NaN(), 0, math.NaN()}},
	}
	id, _, err := wrap(t, b, path).Put(ctx, r)
	if err != nil {
		t.Fatal(err)
	}
	got := query(t, b.reader, `SELECT commit_sha, target, package, suite, kind, benchmark, unit, round, round_order, iterations, seed, value
		FROM samples WHERE run = '`+id+`' ORDER BY unit, round`)
	head := strings.Repeat("a", 40) + " engine example.org/m enhanced bench GELU_1000 "
	want := []string{
		head + "B/op 3 0 100 18446744073709551615 0",
		head + "GFLOPS 1 0 100 0 3", head + "GFLOPS 3 0 100 18446744073709551615 1", head + "GFLOPS 4 0 100 3 2",
		head + "ns/op 1 0 100 0 30", head + "ns/op 2 0 100 1 10", head + "ns/op 3 0 100 18446744073709551615 1e+20", head + "ns/op 4 0 100 3 20.5",
	}
	if !slices.Equal(got, want) {
		t.Errorf("samples\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	got = query(t, b.reader, `SELECT commit_sha, started, status, trial, side, environment, benchmark, rounds, ns_per_op, gflops, bytes_per_op, allocs_per_op FROM methods`)
	want = []string{strings.Repeat("a", 40) + " 2026-01-02T03:04:05Z complete t1 head " + r.Env.EnvironmentID() + " GELU_1000 4 25.25 2 0 <nil>"}
	if !slices.Equal(got, want) {
		t.Errorf("methods\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	got = query(t, b.reader, `SELECT round, slices, slice_spread, slice_mean, slow_slices FROM samples WHERE unit = 'ns/op' ORDER BY round`)
	if want = []string{"1 0 0 0 0", "2 30 0.0125 12.5 0.02", "3 0 0 0 0", "4 0 0 0 0"}; !slices.Equal(got, want) {
		t.Errorf("slices\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	// A query for one run must not read the whole database.
	plan := strings.Join(query(t, b.reader, `EXPLAIN QUERY PLAN SELECT ns_per_op FROM methods WHERE run = 'x'`), "\n")
	if strings.Contains(plan, "SCAN n\n") || strings.Contains(plan, "SCAN p") || strings.Contains(plan, "SCAN r\n") {
		t.Errorf("plan of one run:\n%s", plan)
	}
}

// query returns each row of the result as a line of values separated by spaces.
func query(t *testing.T, db *sql.DB, text string) []string {
	t.Helper()
	rows, err := db.Query(text)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	columns, _ := rows.Columns()
	var out []string
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

// The schema itself refuses invalid data.
func TestConstraints(t *testing.T) {
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "perftrack.db")
	fill(t, path, 1)
	b, err := open(ctx, path, defaults())
	if err != nil {
		t.Fatal(err)
	}
	defer b.close()
	a := record.Acceptance{Target: "engine", Benchmark: "GELU_1000", Commit: strings.Repeat("a", 40), Reason: "exact", Time: time.Unix(1, 0)}
	if _, _, err := wrap(t, b, path).Accept(ctx, a); err != nil {
		t.Fatal(err)
	}
	for _, s := range []string{
		`UPDATE results SET samples = 'abc'`,
		`UPDATE results SET samples = x'00'`,
		`UPDATE results SET samples = NULL`,
		`UPDATE results SET rounds = 0`,
		`UPDATE results SET run_id = 99`,
		`UPDATE results SET benchmark_id = 99`,
		`UPDATE results SET seeds = x'0000'`,
		`UPDATE results SET slices = '12345678'`,
		`UPDATE results SET digest = 'x'`,
		`UPDATE benchmarks SET runs = -1`,
		`UPDATE benchmarks SET units = '{'`,
		`UPDATE benchmarks SET unit_runs = '[1,2,3]'`,
		`UPDATE runs SET status = 'odd'`,
		`UPDATE runs SET started = 'today'`,
		`UPDATE runs SET uid = 'x'`,
		`UPDATE runs SET environment_id = 99`,
		`DELETE FROM environments`,
		`UPDATE acceptances SET reason = 'another'`,
		`DELETE FROM acceptances`,
		`INSERT INTO deletions (uid, deleted, reason) VALUES ('x', 0, 'x')`,
		`INSERT INTO deleted_runs VALUES ('x', 1)`,
	} {
		if _, err := b.writer.Exec(s); err == nil {
			t.Errorf("%s: done", s)
		}
	}
	if _, err := b.writer.Exec(`DELETE FROM runs`); err != nil {
		t.Error(err)
	}
	if got := query(t, b.reader, `SELECT count(*) FROM results`); !slices.Equal(got, []string{"0"}) {
		t.Errorf("rows left of a deleted run: %v", got)
	}
}

// The command-line tool of SQLite can read a closed database, too.
func TestCommandLineTool(t *testing.T) {
	tool, err := exec.LookPath("sqlite3")
	if err != nil {
		t.Skip("no sqlite3 here: ", err)
	}
	path := filepath.Join(t.TempDir(), "perftrack.db")
	fill(t, path, 2)
	for _, f := range []string{path + ".lock", path + "-wal", path + "-shm"} {
		os.Remove(f) // no process has the database open
	}
	out, err := exec.Command(tool, "-readonly", path, `SELECT count(*), sum(value) FROM samples; SELECT benchmark, ns_per_op, allocs_per_op IS NULL FROM methods ORDER BY ns_per_op;`).CombinedOutput()
	if want := "6|3006.0\nGELU_1000|1.0|1\nGELU_1000|1001.0|1\n"; err != nil || !bytes.Equal(out, []byte(want)) {
		t.Errorf("%v\n%s\nwant\n%s", err, out, want)
	}
}
