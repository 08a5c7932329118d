//go:build cgo

package sqlite

import (
	"database/sql/driver"
	"errors"

	"github.com/mattn/go-sqlite3"
)

func (c connector) Driver() driver.Driver { return &sqlite3.SQLiteDriver{} }

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
