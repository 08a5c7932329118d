//go:build !cgo

package sqlite

import (
	"context"
	"database/sql/driver"
	"errors"
	"strings"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// Without a C compiler the store has the same SQLite, translated to Go. Its files, locks and
// shared memory are those of the other driver, so that both may have a database open.

func (c connector) Driver() driver.Driver { return &sqlite.Driver{} }

func (c connector) Connect(ctx context.Context) (driver.Conn, error) {
	dsn, pragmas := c.translate()
	conn, err := c.Driver().Open(dsn)
	if err != nil {
		return nil, err
	}
	if err := prepareConn(ctx, conn, pragmas); err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return conn, nil
}

// translate returns the DSN as this driver reads it, and the pragmas that were parameters
// of it, the wait for others before those that may have to wait.
func (c connector) translate() (dsn string, pragmas []string) {
	path, params, _ := strings.Cut(string(c), "?")
	var kept, later []string
	for param := range strings.SplitSeq(params, "&") {
		name, value, _ := strings.Cut(param, "=")
		switch {
		case name == "_busy_timeout":
			pragmas = append(pragmas, "busy_timeout = "+value)
		case strings.HasPrefix(name, "_") && name != "_txlock":
			later = append(later, name[1:]+" = "+value)
		default:
			kept = append(kept, param)
		}
	}
	return path + "?" + strings.Join(kept, "&"), append(pragmas, later...)
}

func prepareConn(ctx context.Context, conn driver.Conn, pragmas []string) error {
	statements := guards
	for _, p := range pragmas {
		statements += "; PRAGMA " + p
	}
	exec := conn.(driver.ExecerContext)
	if _, err := exec.ExecContext(ctx, statements, nil); err != nil {
		return err
	}
	mode, err := onlyValue(conn.(driver.QueryerContext).QueryContext(ctx, `PRAGMA journal_mode`, nil))
	if err == nil && mode != "wal" {
		_, err = exec.ExecContext(ctx, guardsWithoutWAL, nil)
	}
	return err
}

// libraryVersion returns the version of the SQLite linked in: 3053004 is 3.53.4.
func libraryVersion() int { return sqlite3.SQLITE_VERSION_NUMBER }

// codeOf returns SQLite's extended result code of err, 0 for an error of others.
func codeOf(err error) int {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return 0
	}
	return e.Code()
}
