package sqlite

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/perftrack/perftrack/store"
	"github.com/perftrack/perftrack/store/storetest"
)

func openNew(t *testing.T) *store.DB {
	t.Helper()
	return openAt(t, filepath.Join(t.TempDir(), "perftrack.db"))
}

func openAt(t *testing.T, path string) *store.DB {
	t.Helper()
	db, err := Open(context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

func TestConformance(t *testing.T) {
	storetest.Run(t, openNew, func(t *testing.T, db *store.DB, statements string) { storetest.ExecFile(t, db.Path(), statements) })
}

// wrap returns the store in an open database.
func wrap(t *testing.T, b opened, path string) *store.DB {
	t.Helper()
	db, err := b.db(t.Context(), path, nil)
	if err != nil {
		t.Fatal(err)
	}
	return db
}
