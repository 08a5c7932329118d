package sqlite

import (
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/perftrack/perftrack/store"
)

// applicationID marks a database of perftrack: "PERF".
const applicationID = 0x50455246

// inspect returns the schema version of the database at path, 0 when it is
// still empty, and refuses what is not perftrack's or has a schema above
// latest. It writes nothing: the file's header tells most, and SQLite, which
// may have newer pages in the -wal file, opens it for reading only. The params are
// those with which it can be read.
func inspect(ctx context.Context, path string, latest int) (version int, params string, err error) {
	head, err := header(ctx, path)
	if err != nil {
		return 0, "", err
	}
	if head != nil {
		id, version := binary.BigEndian.Uint32(head[68:]), int(int32(binary.BigEndian.Uint32(head[60:])))
		if id != 0 && id != applicationID {
			return 0, "", fmt.Errorf("%w (its application id is %#x)", store.ErrForeign, id)
		}
		if id == applicationID && version > latest {
			return version, "", &store.SchemaError{Have: version, Want: latest}
		}
	}
	seen, params, err := identifyFor(ctx, path)
	if err != nil {
		return 0, "", err
	}
	switch {
	case seen.id == applicationID && seen.version > latest:
		return seen.version, "", &store.SchemaError{Have: seen.version, Want: latest}
	case seen.id == applicationID && seen.version > 0:
		return seen.version, params, nil
	case seen.id != 0 || seen.version != 0:
		return 0, "", fmt.Errorf("%w (its application id is %#x, its version %d)", store.ErrForeign, seen.id, seen.version)
	case seen.tables > 0:
		return 0, "", fmt.Errorf("%w: it has tables of another program", store.ErrForeign)
	}
	return 0, "", errNoDatabase
}

// An identity is what tells whose a database is.
type identity struct {
	id      int64
	version int
	tables  int // besides those that migrating makes before its first own, which a crash may leave behind
}

// identify reads all from one state of the database: another process may be
// making it what it is right now.
func identify(ctx context.Context, db *sql.DB) (i identity, err error) {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return i, err
	}
	defer tx.Rollback() // nothing was written
	for _, q := range []struct {
		text string
		into any
	}{
		{`PRAGMA application_id`, &i.id},
		{`PRAGMA user_version`, &i.version},
		{`SELECT count(*) FROM sqlite_schema WHERE name NOT IN ('goose_db_version', 'sqlite_sequence')`, &i.tables},
	} {
		if err := tx.QueryRowContext(ctx, q.text).Scan(q.into); err != nil {
			return i, err
		}
	}
	return i, nil
}

var errNoDatabase = fmt.Errorf("%w here: run `perftrack run` first", store.ErrNoDatabase)

// readHeader returns the first 100 bytes of a SQLite file, nil for an empty
// one.
func readHeader(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, errNoDatabase
	}
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() { // a pipe would block
		return nil, fmt.Errorf("%w: not a regular file", store.ErrForeign)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	header := make([]byte, 100)
	switch n, err := io.ReadFull(f, header); {
	case n == 0 && err == io.EOF:
		return nil, nil
	case err != nil && err != io.ErrUnexpectedEOF:
		return nil, err
	case err != nil || string(header[:16]) != "SQLite format 3\x00":
		return nil, fmt.Errorf("%w: not a SQLite file", store.ErrForeign)
	}
	return header, nil
}

// check returns what SQLite finds wrong with the database's structure and
// references, at most a hundred things of each.
func check(ctx context.Context, db *sql.DB) ([]string, error) {
	var problems []string
	rows, err := db.QueryContext(ctx, `PRAGMA integrity_check`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var message string
		if err := rows.Scan(&message); err != nil {
			return problems, err
		}
		if message != "ok" {
			problems = append(problems, message)
		}
	}
	if err := rows.Err(); err != nil {
		return problems, err
	}
	references, err := checkReferences(ctx, db)
	return append(problems, references...), err
}

func checkReferences(ctx context.Context, db *sql.DB) ([]string, error) {
	var problems []string
	rows, err := db.QueryContext(ctx, `SELECT "table", "parent", count(*) FROM pragma_foreign_key_check GROUP BY 1, 2`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var table, parent string
		var n int
		if err := rows.Scan(&table, &parent, &n); err != nil {
			return problems, err
		}
		problems = append(problems, fmt.Sprintf("%d rows of %s refer to missing rows of %s", n, table, parent))
	}
	return problems, rows.Err()
}
