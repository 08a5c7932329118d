//go:build !cgo

package sqlite

import (
	"database/sql/driver"
	"errors"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// Driver returns the driver with SQLite translated to Go. Its files, locks and shared memory are
// compatible with those of the C driver, so both may have the same database open.
func (c connector) Driver() driver.Driver { return &sqlite.Driver{} }

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
