//go:build cgo

package sqlite

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"strings"

	"github.com/mattn/go-sqlite3"

	"github.com/perftrack/perftrack/store"
)

// The parameters of the connections. Every pragma is set for each connection
// of a pool; a statement would reach one of them.
//
// The driver's own default is synchronous=NORMAL, with which a power cut takes
// acknowledged runs. A transaction that begins by reading gets "busy" at once,
// whatever the timeout, when it then writes after another has: hence immediate.
const (
	writerParams = "_txlock=immediate&_synchronous=FULL&_busy_timeout=30000&_foreign_keys=on"
	readerParams = "mode=ro&_query_only=1&_busy_timeout=30000&_foreign_keys=on"
)

// safeWAL is the first SQLite whose WAL mode does not corrupt a database when
// one connection resets the log while another writes (3.7.0 to 3.51.2 do).
const safeWAL = 3051003

// connect returns a pool of at most n connections, which it does not yet open.
func connect(path, params string, n int) *sql.DB {
	db := sql.OpenDB(connector("file:" + escapePath(path) + "?" + params))
	db.SetMaxOpenConns(n)
	db.SetMaxIdleConns(n)
	return db
}

// A connector is a DSN.
type connector string

func (c connector) Connect(context.Context) (driver.Conn, error) {
	return c.Driver().Open(string(c))
}

func (c connector) Driver() driver.Driver { return &sqlite3.SQLiteDriver{ConnectHook: hook} }

// hook sets what the DSN cannot. The file may come from anybody: its schema
// must not call functions that are unsafe there, and each page is checked.
func hook(conn *sqlite3.SQLiteConn) error {
	_, err := conn.Exec(`PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0;
		PRAGMA journal_size_limit = 67108864`, nil)
	if err != nil {
		return err
	}
	mode, err := pragma(conn, "journal_mode")
	if err != nil {
		return err
	}
	if mode != "wal" {
		// FULL does not sync the folder after the journal is unlinked, so a
		// power cut could bring the journal back and undo the transaction.
		_, err = conn.Exec(`PRAGMA synchronous = EXTRA`, nil)
	}
	return err
}

func pragma(conn *sqlite3.SQLiteConn, name string) (string, error) {
	rows, err := conn.Query(`PRAGMA `+name, nil)
	if err != nil {
		return "", err
	}
	defer rows.Close()
	row := make([]driver.Value, 1)
	if err := rows.Next(row); err != nil {
		return "", err
	}
	return fmt.Sprint(row[0]), nil
}

// escapePath makes path safe inside a DSN, where ?, # and % have a meaning.
func escapePath(path string) string {
	var b strings.Builder
	for i := range len(path) {
		switch c := path[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', strings.IndexByte("/._-", c) >= 0:
			b.WriteByte(c)
		default:
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

// libraryJournal returns the journal that the SQLite linked in can be trusted
// with.
func libraryJournal() journal {
	if _, n, _ := sqlite3.Version(); n < safeWAL {
		return rollback
	}
	return wal
}

// needsRollback reports whether err says that a rollback journal must be
// played back, which a reader cannot do.
func needsRollback(err error) bool {
	var e sqlite3.Error
	return errors.As(err, &e) && e.ExtendedCode == sqlite3.ErrReadonlyRollback
}

// needsWriting reports whether err says that SQLite cannot read without making or
// changing a file, and may not.
func needsWriting(err error) bool {
	var e sqlite3.Error
	return errors.As(err, &e) && e.ExtendedCode != sqlite3.ErrReadonlyRollback && (e.Code == sqlite3.ErrCantOpen || e.Code == sqlite3.ErrReadonly)
}

// explain says what an error of SQLite means to whom it concerns.
func explain(err error) error {
	var e sqlite3.Error
	if !errors.As(err, &e) {
		return err
	}
	switch e.Code {
	case sqlite3.ErrBusy, sqlite3.ErrLocked:
		return fmt.Errorf("%w, for more than %v: %w", store.ErrBusy, lockWait, err)
	case sqlite3.ErrCorrupt, sqlite3.ErrNotADB, sqlite3.ErrMismatch:
		return fmt.Errorf("%w: %w", store.ErrDamaged, err)
	case sqlite3.ErrFull:
		return fmt.Errorf("no space left: %w", err)
	}
	return err
}
