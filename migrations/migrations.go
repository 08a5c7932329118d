// Package migrations holds the schema of every database that perftrack can
// keep its runs in, as numbered SQL files that bring a database from any older
// version to the newest.
//
// In the flow engine -> runner -> store -> compare -> reports it stands below
// store: each database package, such as store/sqlite, opens its database and calls
// [Set.Up]. The files are goose's, and so is the table that says which were applied. A
// file is never changed once it was released.
package migrations

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"

	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/database"
)

// versionTable is goose's own name for it.
const versionTable = goose.DefaultTablename

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
	names, err := s.names()
	latest := 0
	for n := range names {
		latest = max(latest, int(n))
	}
	return latest, err
}

// names returns the files by their versions.
func (s Set) names() (map[int64]string, error) {
	list, err := fs.Glob(s.Files, "*.sql")
	if err != nil {
		return nil, fmt.Errorf("list migrations: %w", err)
	}
	names := map[int64]string{}
	for _, name := range list {
		n, err := goose.NumericComponent(name)
		if err != nil {
			return nil, fmt.Errorf("migration %s: %w", name, err)
		}
		names[n] = name
	}
	return names, nil
}

// Up applies all pending migrations to db in one transaction: a crash leaves the
// database as it was, or at the newest version. Processes that may migrate the same
// database at once must be kept apart by the caller. A cancelled ctx does not
// interrupt it: SQLite would take back a transaction whose statement is interrupted
// and run the rest outside of any.
//
// A file is executed as one text, by a driver that takes several statements at a time.
func (s Set) Up(ctx context.Context, db *sql.DB) error {
	ctx = context.WithoutCancel(ctx)
	versions, err := database.NewStore(s.Dialect, versionTable)
	if err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	names, err := s.names()
	if err != nil {
		return err
	}
	known, missing := versions.ListMigrations(ctx, db) // an error: a database that is still empty
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	defer tx.Rollback() // after Commit it does nothing
	if missing != nil {
		err = errors.Join(versions.CreateVersionTable(ctx, tx), versions.Insert(ctx, tx, database.InsertRequest{Version: 0}))
	}
	if err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	for _, n := range slices.Sorted(maps.Keys(names)) {
		if slices.ContainsFunc(known, func(m *database.ListMigrationsResult) bool { return m.Version == n }) {
			continue
		}
		text, err := fs.ReadFile(s.Files, names[n])
		if err == nil {
			_, err = tx.ExecContext(ctx, string(text))
		}
		if err == nil {
			err = versions.Insert(ctx, tx, database.InsertRequest{Version: n})
		}
		if err != nil {
			return fmt.Errorf("migrate: %s: %w", names[n], err)
		}
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	return nil
}
