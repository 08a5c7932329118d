package postgres

import (
	"context"
	"testing"

	_ "github.com/perftrack/perftrack/runner/drawtest"
	"github.com/perftrack/perftrack/store"
	"github.com/perftrack/perftrack/store/postgres/pgtest"
	"github.com/perftrack/perftrack/store/storetest"
)

func newAddress(t testing.TB) Address {
	t.Helper()
	return address(t, pgtest.NewDatabase(t))
}

func address(t testing.TB, url string) Address {
	t.Helper()
	a, err := ParseURL(url)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func openAt(t testing.TB, a Address, repository string) *store.DB {
	t.Helper()
	db, err := Open(context.Background(), a, repository)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

func TestConformance(t *testing.T) {
	open := func(t *testing.T) *store.DB { return openAt(t, newAddress(t), "example.org/m") }
	storetest.Run(t, open, func(t *testing.T, db *store.DB, statements string) {
		storetest.Exec(t, raw(t, address(t, db.Path())), statements)
	})
}
