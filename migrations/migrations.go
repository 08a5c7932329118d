// Package migrations holds the schema of every database that perftrack can
// keep its runs in, as numbered SQL files that bring a database from any older
// version to the newest.
//
// In the flow engine -> runner -> store -> compare -> reports it stands below
// store: each database package, such as store/sqlite, opens its database and calls
// [Set.Up]. The files have the marks of goose, and the table that says which were applied
// is goose's, so that its command reads both. A file is never changed once it was released.
package migrations

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strconv"
	"strings"
)

//go:embed sqlite/*.sql
var files embed.FS

// A Set is the migrations of one kind of database.
type Set struct {
	Files fs.FS // NNNNN_name.sql, all in the root
}

// The table of the versions that were applied, as goose makes it and fills it.
const (
	createVersions = `CREATE TABLE goose_db_version (
		id INTEGER PRIMARY KEY AUTOINCREMENT,
		version_id INTEGER NOT NULL,
		is_applied INTEGER NOT NULL,
		tstamp TIMESTAMP DEFAULT (datetime('now'))
	)`
	listVersions  = "SELECT version_id FROM goose_db_version"
	insertVersion = "INSERT INTO goose_db_version (version_id, is_applied) VALUES (?, 1)"
)

// SQLite returns the migrations of SQLite databases.
func SQLite() Set {
	sub, err := fs.Sub(files, "sqlite")
	if err != nil {
		panic("embedded migrations: " + err.Error()) // the folder is part of this package
	}
	return Set{sub}
}

// Latest returns the version to which Up brings a database.
func (s Set) Latest() (int, error) {
	names, err := s.names()
	latest := 0
	for n := range names {
		latest = max(latest, n)
	}
	return latest, err
}

// names returns the files by their versions.
func (s Set) names() (map[int]string, error) {
	list, err := fs.Glob(s.Files, "*.sql")
	if err != nil {
		return nil, fmt.Errorf("list migrations: %w", err)
	}
	names := map[int]string{}
	for _, name := range list {
		number, _, _ := strings.Cut(name, "_")
		n, err := strconv.Atoi(number)
		if err != nil || n < 1 {
			return nil, fmt.Errorf("migration %s: its name does not begin with its version", name)
		}
		if names[n] != "" {
			return nil, fmt.Errorf("migrations %s and %s: both are version %d", names[n], name, n)
		}
		names[n] = name
	}
	return names, nil
}

// Newest returns the newest version that db is known to have.
func Newest(ctx context.Context, db *sql.DB) (newest int, err error) {
	versions, err := applied(ctx, db)
	for _, n := range versions {
		newest = max(newest, n)
	}
	return newest, err
}

// applied returns the versions that db is known to have.
func applied(ctx context.Context, db *sql.DB) (versions []int, err error) {
	rows, err := db.QueryContext(ctx, listVersions)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var n int
		if err := rows.Scan(&n); err != nil {
			return nil, err
		}
		versions = append(versions, n)
	}
	return versions, rows.Err()
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
	names, err := s.names()
	if err != nil {
		return err
	}
	known, missing := applied(ctx, db) // an error: a database that is still empty
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	defer tx.Rollback() // after Commit it does nothing
	if missing != nil {
		if _, err = tx.ExecContext(ctx, createVersions); err == nil {
			_, err = tx.ExecContext(ctx, insertVersion, 0) // goose's command wants it
		}
	}
	if err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	for _, n := range slices.Sorted(maps.Keys(names)) {
		if slices.Contains(known, n) {
			continue
		}
		text, err := fs.ReadFile(s.Files, names[n])
		if err == nil {
			_, err = tx.ExecContext(ctx, string(text))
		}
		if err == nil {
			_, err = tx.ExecContext(ctx, insertVersion, n)
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
