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

// Driver returns the driver with SQLite translated to Go, which is used in builds without a C
// compiler. Its files, locks and shared memory are compatible with those of the C driver, so both
// may have the same database open.

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

// translate returns the DSN for this driver, and the pragmas among the parameters, which the DSN
// does not include. The busy timeout comes first, because the other pragmas may have to wait.
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

// libraryVersion returns the version of the linked SQLite; 3053004 is 3.53.4.
func libraryVersion() int { return sqlite3.SQLITE_VERSION_NUMBER }

// codeOf returns the extended SQLite result code in err, or 0 if err is not from SQLite.
func codeOf(err error) int {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return 0
	}
	return e.Code()
}
