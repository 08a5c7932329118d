// Package migrations holds the schema of every database that perftrack can
// keep its runs in, as numbered SQL files that bring a database from any older
// version to the newest.
//
// In the flow engine -> runner -> store -> compare -> reports it stands below
// store: the package of each database opens it and calls [Set.Up]. A file is
// applied whole or not at all, and is never changed once it was released.
package migrations

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
	"io/fs"

	"github.com/pressly/goose/v3"
)

//go:embed sqlite/*.sql
var files embed.FS

// A Set is the migrations of one kind of database.
type Set struct {
	Dialect goose.Dialect
	Files   fs.FS // NNNNN_name.sql in goose's format, all in the root
}

// SQLite returns the migrations of SQLite databases.
func SQLite() Set {
	sub, err := fs.Sub(files, "sqlite")
	if err != nil {
		panic("embedded migrations: " + err.Error()) // the folder is part of this package
	}
	return Set{goose.DialectSQLite3, sub}
}

// Latest returns the version to which Up brings a database.
func (s Set) Latest() (int, error) {
	names, err := fs.Glob(s.Files, "*.sql")
	if err != nil {
		return 0, fmt.Errorf("list migrations: %w", err)
	}
	latest := 0
	for _, name := range names {
		n, err := goose.NumericComponent(name)
		if err != nil {
			return 0, fmt.Errorf("migration %s: %w", name, err)
		}
		latest = max(latest, int(n))
	}
	return latest, nil
}

// Up applies all pending migrations to db, each in a transaction of its own.
// Processes that may migrate the same database at once must be kept apart by
// the caller. A cancelled ctx does not interrupt it: SQLite would take back a
// transaction whose statement is interrupted and run the rest outside of any.
func (s Set) Up(ctx context.Context, db *sql.DB) error {
	provider, err := goose.NewProvider(s.Dialect, db, s.Files, goose.WithDisableGlobalRegistry(true))
	if err != nil {
		return fmt.Errorf("read migrations: %w", err)
	}
	if _, err := provider.Up(context.WithoutCancel(ctx)); err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	return nil
}
