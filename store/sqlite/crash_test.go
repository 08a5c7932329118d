package sqlite

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/store"
	"github.com/perftrack/perftrack/store/storetest"
)

// crash begins a transaction on a database with some runs. copied copies the files as they are in
// the middle of the transaction, after applying change to the database file, and returns the path
// of the copy. want is an export of the runs before the transaction.
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
	// With almost no cache, pages are written to the file before the transaction ends.
	crashing := connect(path, strings.Replace(writerParams, cacheParam, "_cache_size=1", 1)+"&_journal_mode=DELETE", 1)
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

// isTakenBack opens copies of a crashed database and checks that the transaction was rolled back.
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
