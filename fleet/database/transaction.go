package database

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"io"
	"net"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

const (
	patience     = 90 * time.Second // for the promotion of a standby
	patienceOnce = 15 * time.Second // for a server that accepts connections and does not answer
)

// Do runs a transaction. If the connection or the server dies, Do runs it again for up to 90
// seconds, even if it may have been committed: f must do nothing a second time.
func (d *DB) Do(ctx context.Context, f func(ctx context.Context, tx *sql.Tx) error) error {
	return d.Retry(ctx, func(ctx context.Context) error { return d.once(ctx, f) })
}

// Retry calls f until it returns no error that may go away, for up to 90 seconds.
func (d *DB) Retry(ctx context.Context, f func(ctx context.Context) error) error {
	end := time.Now().Add(patience)
	for pause := 20 * time.Millisecond; ; pause = min(2*pause, time.Second) {
		err := d.limited(ctx, f)
		if err == nil || ctx.Err() != nil || !Transient(err) || time.Now().After(end) {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(pause):
		}
	}
}

func (d *DB) limited(ctx context.Context, f func(ctx context.Context) error) error {
	if !d.Postgres {
		return f(ctx)
	}
	ctx, cancel := context.WithTimeout(ctx, patienceOnce)
	defer cancel()
	return f(ctx)
}

func (d *DB) once(ctx context.Context, f func(ctx context.Context, tx *sql.Tx) error) error {
	tx, err := d.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := f(ctx, tx); err != nil {
		return err
	}
	return tx.Commit()
}

// Transient reports whether the same transaction may succeed later.
func Transient(err error) bool {
	var pg *pgconn.PgError
	if errors.As(err, &pg) {
		switch pg.Code[:2] {
		case "08", "53", "57", "40": // connection, resources, intervention of an operator, conflicts
			return true
		}
		return pg.Code == "25006" // a standby that is about to be promoted
	}
	var lite *sqlite.Error
	if errors.As(err, &lite) {
		code := lite.Code() & 0xff
		return code == sqlite3.SQLITE_BUSY || code == sqlite3.SQLITE_LOCKED
	}
	var network net.Error
	var connect *pgconn.ConnectError
	return errors.As(err, &network) || errors.As(err, &connect) || pgconn.SafeToRetry(err) ||
		errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, driver.ErrBadConn) ||
		errors.Is(err, sql.ErrConnDone) || errors.Is(err, sql.ErrTxDone) || errors.Is(err, context.DeadlineExceeded) ||
		strings.Contains(err.Error(), "conn closed")
}

// Duplicate reports whether a row was refused because another one has its key.
func Duplicate(err error) bool {
	var pg *pgconn.PgError
	if errors.As(err, &pg) {
		return pg.Code == "23505"
	}
	var lite *sqlite.Error
	return errors.As(err, &lite) && (lite.Code() == sqlite3.SQLITE_CONSTRAINT_UNIQUE || lite.Code() == sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY)
}
