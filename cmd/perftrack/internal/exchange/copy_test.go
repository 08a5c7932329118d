package exchange

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	_ "github.com/perftrack/perftrack/runner/drawtest"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/store"
	"github.com/perftrack/perftrack/store/postgres/pgtest"
	"github.com/perftrack/perftrack/store/sqlite"
	"github.com/perftrack/perftrack/store/storetest"
)

// Records copied to another kind of database and back are unchanged.
func TestCopy(t *testing.T) {
	server := pgtest.Start(t, "-c", "fsync=off")
	ctx, dir := t.Context(), t.TempDir()
	names := []string{filepath.Join(dir, "first.db"), server.URL("postgres"), filepath.Join(dir, "third.db")}
	first, err := sqlite.Open(ctx, names[0])
	if err != nil {
		t.Fatal(err)
	}
	defer first.Close()
	for i := range 150 { // more than a batch
		if _, _, err := first.Put(ctx, storetest.Runs().Example(i)); err != nil {
			t.Fatal(err)
		}
	}
	gone, _, err := first.Put(ctx, storetest.Plain(strings.Repeat("a", 40), 1, 2))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := first.Delete(ctx, record.Deletion{Runs: []string{gone}, Reason: "old", Time: time.Unix(1, 0)}); err != nil {
		t.Fatal(err)
	}
	accepted := record.Acceptance{Target: "engine", Benchmark: "GELU_1000", Commit: strings.Repeat("a", 40), Reason: "exact", Time: time.Unix(1, 0)}
	if _, _, err := first.Accept(ctx, accepted); err != nil {
		t.Fatal(err)
	}
	want := storetest.Export(t, first)
	ids, err := idsOf(ctx, first)
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	a := &workspace.Session{Dir: dir, Reading: func(_ string, done, _ int) { seen = done }}
	for i, step := range []struct{ from, to int }{{0, 1}, {1, 2}, {1, 2}} {
		done, err := Copy(ctx, a, names[step.from], names[step.to])
		wanted := CopyResult{To: done.To, Runs: len(ids), Acceptances: 1, Deletions: 1}
		if i == 2 {
			wanted = CopyResult{To: done.To, Known: len(ids)}
		}
		if err != nil || done != wanted || seen != len(ids) {
			t.Errorf("copy %d: %+v, %v, progress to %d; want %+v", i, done, err, seen, wanted)
		}
		check(t, a, names[step.to], want)
	}
}

func check(t *testing.T, a *workspace.Session, name, want string) {
	t.Helper()
	d, err := a.DatabaseNamed(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	var db *store.DB
	if db, err = d.OpenReadOnly(t.Context()); err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if storetest.Export(t, db) != want {
		t.Errorf("the export of %s differs", d.Name)
	}
	if v, err := db.Verify(t.Context()); err != nil || !v.OK() {
		t.Errorf("%+v, %v", v, err)
	}
}

// A run whose content was changed together with all digests still does not match its id.
func TestCheckID(t *testing.T) {
	run := storetest.Plain(strings.Repeat("a", 40), 1, 2)
	id := run.ID()
	if err := checkID(id, run); err != nil {
		t.Error(err)
	}
	run.Benchmarks[0].Samples[0].Values[0]++
	if err := checkID(id, run); !errors.Is(err, store.ErrDamaged) {
		t.Errorf("%v, want %v", err, store.ErrDamaged)
	}
}
