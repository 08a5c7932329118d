//go:build !cgo

package sqlite

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
)

const (
	writerParams = ""
	readerParams = ""
)

var errNoCgo = errors.New("this perftrack was built without cgo and has no SQLite: build it with CGO_ENABLED=1")

type connector struct{}

func (connector) Connect(context.Context) (driver.Conn, error) { return nil, errNoCgo }
func (connector) Driver() driver.Driver                        { return nil }

func connect(string, string, int) *sql.DB { return sql.OpenDB(connector{}) }
func libraryJournal() journal             { return wal }
func needsRollback(error) bool            { return false }
func needsWriting(error) bool             { return false }
func explain(err error) error             { return err }
