package sqlite

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/perftrack/perftrack/store"
	"github.com/perftrack/perftrack/store/storetest"
)

// crash begins a transaction on a database of some runs. It returns what makes a copy of the
// files as they are in its middle, the database's own changed as told, and the export of before.
func crash(t *testing.T, statements string) (copied func(change func(file []byte)) string, want string) {
	t.Helper()
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "perftrack.db")
	db, err := openWith(ctx, path, far())
	if err != nil {
		t.Fatal(err)
	}
	for i := range 20 {
		if _, _, err := db.Put(ctx, sample("kept", i)); err != nil {
			t.Fatal(err)
		}
	}
	want = storetest.Export(t, db)
	db.Close()
	// With next to no cache the pages go to the file before the end.
	crashing := connect(path, writerParams+"&_journal_mode=DELETE&_cache_size=1", 1)
	t.Cleanup(func() { crashing.Close() })
	tx, err := crashing.Begin()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { tx.Rollback() })
	if _, err := tx.Exec(statements); err != nil {
		t.Fatal(err)
	}
	return func(change func(file []byte)) string {
		t.Helper()
		crashed := filepath.Join(t.TempDir(), "perftrack.db")
		for _, ending := range []string{"", "-journal"} {
			data, err := os.ReadFile(path + ending)
			if err != nil || len(data) < 512 {
				t.Fatalf("%d bytes, %v", len(data), err)
			}
			if ending == "" {
				change(data)
			}
			if err := os.WriteFile(crashed+ending, data, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		return crashed
	}, want
}

// isTakenBack opens copies of a crashed database, whose transaction must be gone.
func isTakenBack(t *testing.T, copied func() string, want string) {
	t.Helper()
	for name, open := range map[string]func(context.Context, string, options) (*store.DB, error){"Open": openWith, "OpenReadOnly": openReadOnlyWith} {
		db, err := open(context.Background(), copied(), far())
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if storetest.Export(t, db) != want {
			t.Errorf("%s: the runs are not those of before", name)
		}
		db.Close()
	}
}
