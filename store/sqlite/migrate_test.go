package sqlite

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/perftrack/perftrack/runner/livetest"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/store"
	"github.com/perftrack/perftrack/store/storetest"
)

// golden holds the file of a closed database with the current schema and an export of its runs.
type golden struct {
	data   []byte
	export string
}

func newGolden(t *testing.T, runs int) golden {
	t.Helper()
	path := filepath.Join(t.TempDir(), "perftrack.db")
	db := openAt(t, path)
	for i := range runs {
		if _, _, err := db.Put(context.Background(), sample("golden", i)); err != nil {
			t.Fatal(err)
		}
	}
	g := golden{export: storetest.Export(t, db)}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	var err error
	if g.data, err = os.ReadFile(path); err != nil {
		t.Fatal(err)
	}
	return g
}

// copy writes the database to a new directory and returns its path.
func (g golden) copy(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "perftrack.db")
	if err := os.WriteFile(path, g.data, 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// check opens the database at path and fails the test unless Verify finds no faults and the runs
// are those of g.
func (g golden) check(t *testing.T, path string, o options) *store.DB {
	t.Helper()
	db, err := openWith(context.Background(), path, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	if v, err := db.Verify(context.Background()); err != nil || !v.OK() {
		t.Fatalf("%+v, %v", v, err)
	}
	if storetest.Export(t, db) != g.export {
		t.Fatal("the runs are not the same")
	}
	return db
}

func TestMigration(t *testing.T) {
	g := newGolden(t, 3)
	path := g.copy(t)
	if _, err := openReadOnlyWith(context.Background(), path, upgraded()); !errors.As(err, new(*store.SchemaError)) || !strings.Contains(err.Error(), "perftrack db migrate") {
		t.Errorf("reading an older schema: %v", err)
	}
	db := g.check(t, path, upgraded())
	m := db.Migration()
	if m.From != today || m.To != today+1 || m.Backup == "" {
		t.Fatalf("migration %+v", m)
	}
	if v, err := db.SchemaVersion(context.Background()); v != today+1 || err != nil {
		t.Errorf("schema %d, %v", v, err)
	}
	g.check(t, m.Backup, defaults())
	if m := g.check(t, path, upgraded()).Migration(); m.From != today+1 || m.To != today+1 || m.Backup != "" {
		t.Errorf("second time: %+v", m)
	}
	// Another migration from the same schema keeps the backup made by the first one.
	db.Close()
	if err := os.WriteFile(path, g.data, 0o644); err != nil {
		t.Fatal(err)
	}
	os.Remove(path + "-wal")
	os.Remove(path + "-shm")
	if again := g.check(t, path, upgraded()).Migration(); again.Backup == m.Backup || again.Backup == "" {
		t.Errorf("backup %s after %s", again.Backup, m.Backup)
	}
}

// A failed migration changes nothing, and its error names the backup.
func TestFailingMigration(t *testing.T) {
	g := newGolden(t, 3)
	path := g.copy(t)
	o := upgraded()
	files := o.migrations.Files.(fstest.MapFS)
	files[upgradeFile].Data = append(files[upgradeFile].Data, "UPDATE runs SET status = 'odd';\n"...)
	_, err := openWith(context.Background(), path, o)
	backup := fmt.Sprint(path, ".schema-", today)
	if err == nil || !strings.Contains(err.Error(), backup) || !strings.Contains(err.Error(), "open store "+path) {
		t.Fatalf("%v, want an error that names %s", err, backup)
	}
	if m := g.check(t, path, defaults()).Migration(); m.From != today {
		t.Errorf("schema %d after the failure", m.From)
	}
	g.check(t, backup, defaults())
}

// Several pending migrations are applied together or not at all, so neither an old nor a new
// database is left with an intermediate schema.
func TestMigrationsAreOne(t *testing.T) {
	ctx := context.Background()
	o := upgraded()
	o.migrations.Files.(fstest.MapFS)[fmt.Sprintf("%05d_bad.sql", today+2)] = &fstest.MapFile{Data: []byte("-- +goose Up\nUPDATE runs SET status = 'odd' WHERE no = 1;\n")}
	g := newGolden(t, 3)
	path := g.copy(t)
	if _, err := openWith(ctx, path, o); err == nil {
		t.Fatal("migrated with a migration that fails")
	}
	if m := g.check(t, path, defaults()).Migration(); m.From != today {
		t.Errorf("schema %d after the failure", m.From)
	}
	fresh := filepath.Join(t.TempDir(), "perftrack.db")
	if _, err := openWith(ctx, fresh, o); err == nil {
		t.Fatal("made with a migration that fails")
	}
	if _, err := OpenReadOnly(ctx, fresh); !errors.Is(err, store.ErrNoDatabase) {
		t.Errorf("reading what was not made: %v, want ErrNoDatabase", err)
	}
	if m := openAt(t, fresh).Migration(); m.From != 0 || m.To != today || m.Backup != "" {
		t.Errorf("made again: %+v", m)
	}
}

// If a newer perftrack migrates the database in the meantime, an older one no longer writes to it.
func TestMigratedMeanwhile(t *testing.T) {
	ctx := context.Background()
	path := newGolden(t, 3).copy(t)
	db := openAt(t, path)
	if _, _, err := db.Put(ctx, sample("before", 1)); err != nil {
		t.Fatal(err)
	}
	newer, err := openWith(ctx, path, upgraded())
	if err != nil {
		t.Fatal(err)
	}
	defer newer.Close()
	var schema *store.SchemaError
	for name, write := range map[string]func() error{
		"Put": func() error { _, _, err := db.Put(ctx, sample("after", 1)); return err },
		"Delete": func() error {
			_, err := db.Delete(ctx, record.Deletion{Runs: []string{strings.Repeat("a", 64)}, Reason: "x", Time: time.Unix(1, 0)})
			return err
		},
	} {
		if err := write(); !errors.As(err, &schema) || schema.Have != today+1 || schema.Want != today {
			t.Errorf("%s: %v, want a SchemaError", name, err)
		}
	}
	if infos, err := newer.Runs(ctx, store.Filter{}); err != nil || len(infos) != 4 {
		t.Errorf("%d runs, %v; want 4", len(infos), err)
	}
}

// Whenever a process is killed, its migration has either happened completely or not at all.
func TestKilledMigration(t *testing.T) {
	livetest.Skip(t)
	random := dice(t)
	g := newGolden(t, 60)
	versions := map[int]int{}
	for range scale(20, 1000) {
		path := g.copy(t)
		c := start(t, "migrate", path, "", 0)
		time.Sleep(time.Duration(random.IntN(60)) * time.Millisecond)
		c.Process.Kill()
		c.Wait()
		if c.err.Len() > 0 {
			t.Fatal(c.err.String())
		}
		version, _, err := inspect(context.Background(), path, today+1)
		if err != nil || version != today && version != today+1 {
			t.Fatalf("schema %d, %v", version, err)
		}
		versions[version]++
		if version == today {
			g.check(t, path, defaults()).Close()
		}
		g.check(t, path, upgraded()).Close()
		backups, _ := filepath.Glob(path + ".schema-[0-9]*")
		for _, b := range backups {
			if !strings.HasSuffix(b, ".part") {
				g.check(t, b, defaults()).Close()
			}
		}
		os.RemoveAll(filepath.Dir(path))
	}
	t.Logf("schemas after the kill: %v", versions)
}

// If many processes find an older schema, exactly one of them migrates it.
func TestParallelMigration(t *testing.T) {
	g := newGolden(t, 10)
	for range scale(3, 50) {
		path := g.copy(t)
		var children []*child
		for range 16 {
			children = append(children, start(t, "migrate", path, "", 0))
		}
		var from []string
		for _, c := range children {
			if err := c.Wait(); err != nil {
				t.Fatalf("%v: %s", err, c.err.String())
			}
			from = append(from, c.lines()...)
		}
		slices.Sort(from)
		if want := append([]string{fmt.Sprint(today)}, slices.Repeat([]string{fmt.Sprint(today + 1)}, 15)...); !slices.Equal(from, want) {
			t.Errorf("migrated from %v", from)
		}
		g.check(t, path, upgraded()).Close()
		if backups, _ := filepath.Glob(path + ".schema-*"); len(backups) != 1 {
			t.Errorf("backups %v", backups)
		}
		db := connect(path, readerParams, 1)
		var want []string
		for n := range today + 2 {
			want = append(want, fmt.Sprint(n), "1")
		}
		if got := query(t, db, `SELECT version_id, count(*) FROM goose_db_version GROUP BY 1 ORDER BY 1`); !slices.Equal(strings.Fields(strings.Join(got, " ")), want) {
			t.Errorf("applied %v, want %v", got, want)
		}
		db.Close()
	}
}

// Databases with every released schema can be migrated to the current one without losing data, and
// can then store new kinds of data.
func TestReleasedSchemas(t *testing.T) {
	for schema := 1; schema < today; schema++ {
		t.Run(fmt.Sprint(schema), func(t *testing.T) {
			db := openAt(t, oldDatabase(t, schema))
			if m := db.Migration(); m.From != schema || m.To != today || m.Backup == "" {
				t.Fatalf("migration %+v", m)
			}
			if v, err := db.Verify(context.Background()); err != nil || !v.OK() || v.Runs != 1 {
				t.Errorf("%+v, %v", v, err)
			}
			unmeasured := sample("new", 2)
			unmeasured.Trial, unmeasured.Side, unmeasured.Benchmarks = "t1", record.Base, nil
			sliced := sample("new", 3)
			sliced.Benchmarks[0].Rounds[0].Slices, sliced.Benchmarks[0].Rounds[0].Spread = 30, 0.0125
			sliced.Benchmarks[0].Rounds[0].Mean, sliced.Benchmarks[0].Rounds[0].Slow = 12.5, 0.02
			for _, run := range []*record.Run{sample("new", 1), unmeasured, sliced} {
				if _, _, err := db.Put(context.Background(), run); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

// oldDatabase makes a database with the given schema and one run.
func oldDatabase(t *testing.T, schema int) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "perftrack.db")
	o := defaults()
	files := fstest.MapFS{}
	addMigrations(files, schema)
	o.migrations.Files = files
	old, err := open(context.Background(), path, o)
	if err != nil {
		t.Fatal(err)
	}
	insertPlain(t, path)
	if err := old.close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// insertPlain stores a run in a database with any schema. It uses the statements of the first
// schema, because Put writes the current one.
func insertPlain(t *testing.T, path string) {
	t.Helper()
	run := storetest.Plain(strings.Repeat("c", 40), 1, 1)
	db := connect(path, writerParams, 1)
	defer db.Close()
	for _, s := range []struct {
		text string
		args []any
	}{
		{`INSERT INTO environments VALUES (1, $1, '{"gomaxprocs":"2","goos":"linux"}')`, []any{run.Env.EnvironmentID()}},
		{`INSERT INTO runs (id, uid, target, commit_sha, tree, branch, dirty, environment_id, facts, started, tool, status, side, units, failures, benchmarks, max_rounds)
			VALUES (1, $1, 'engine', $2, '', 'main', 0, 1, '{"number":"1"}', $3, '', 'complete', '', '[]', '[]', 1, 1)`,
			[]any{run.ID(), run.Commit.SHA, run.Start.UnixMicro()}},
		{`INSERT INTO benchmarks VALUES (1, 'engine', 'bench', 'enhanced', '', 'GELU_1000')`, nil},
		{`INSERT INTO rounds (benchmark_id, run_id, rounds, orders, iterations, seeds) VALUES (1, 1, '[1]', '[0]', '[100]', '["0"]')`, nil},
		{`INSERT INTO series VALUES (1, 1, 'ns/op')`, nil},
		{`INSERT INTO packed_samples VALUES (1, 1, '[1000]')`, nil},
	} {
		if _, err := db.Exec(s.text, s.args...); err != nil {
			t.Fatal(err)
		}
	}
}
