//go:build cgo

package sqlite

import (
	"context"
	"database/sql/driver"
	"errors"

	"github.com/mattn/go-sqlite3"
)

func (c connector) Connect(context.Context) (driver.Conn, error) {
	return c.Driver().Open(string(c))
}

func (c connector) Driver() driver.Driver { return &sqlite3.SQLiteDriver{ConnectHook: hook} }

// hook applies the settings that cannot be given in the DSN.
func hook(conn *sqlite3.SQLiteConn) error {
	if _, err := conn.Exec(guards, nil); err != nil {
		return err
	}
	mode, err := onlyValue(conn.Query(`PRAGMA journal_mode`, nil))
	if err != nil {
		return err
	}
	if mode != "wal" {
		_, err = conn.Exec(guardsWithoutWAL, nil)
	}
	return err
}

// libraryVersion returns the version of the linked SQLite; 3053004 is 3.53.4.
func libraryVersion() int {
	_, n, _ := sqlite3.Version()
	return n
}

// codeOf returns the extended SQLite result code in err, or 0 if err is not from SQLite.
func codeOf(err error) int {
	var e sqlite3.Error
	if !errors.As(err, &e) {
		return 0
	}
	return int(e.Code) | int(e.ExtendedCode)
}
