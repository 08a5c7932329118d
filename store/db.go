package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
)

// Errors that a caller may want to tell apart. Each comes wrapped in one that
// names the database and what was being done.
var (
	// ErrNoDatabase: there is nothing to read at the path.
	ErrNoDatabase = errors.New("no database")
	// ErrForeign: the file is not a database of perftrack. It was not touched.
	ErrForeign = errors.New("not a perftrack database")
	// ErrReadOnly: the database was opened for reading.
	ErrReadOnly = errors.New("the database was opened for reading only")
	// ErrBusy: other processes kept the database locked for too long.
	ErrBusy = errors.New("the database is locked by another process")
	// ErrDamaged: the database cannot be read, or holds something that perftrack never wrote.
	ErrDamaged = errors.New("the database is damaged")
	// ErrNotFound: no run has the id.
	ErrNotFound = errors.New("no such run")
)

// A SchemaError says that a database has a schema which this binary cannot
// use. The database was not touched.
type SchemaError struct {
	Have, Want int // schema of the database, newest schema that the binary knows
}

func (e *SchemaError) Error() string {
	if e.Have > e.Want {
		return fmt.Sprintf("the database has schema %d and this perftrack knows schemas up to %d: upgrade perftrack", e.Have, e.Want)
	}
	return fmt.Sprintf("the database has schema %d and this perftrack reads schema %d: run `perftrack db migrate`", e.Have, e.Want)
}

// An AmbiguousError says that several runs' ids begin with Prefix.
type AmbiguousError struct {
	Prefix     string
	Candidates []string // the full ids, at most ten
}

func (e *AmbiguousError) Error() string {
	return fmt.Sprintf("run id %s is ambiguous: %s", e.Prefix, strings.Join(e.Candidates, ", "))
}

// A Migration is what opening a database did to its schema.
type Migration struct {
	From, To int    // equal when nothing was to do; From is 0 for a new database
	Backup   string // copy of the database as it was before; "" when there was nothing to keep
}

// A Backend is a database that holds the schema of the migrations, and what of
// it differs from other databases. The queries themselves are the same text
// for all: $1, $2 in the order of their first appearance.
type Backend struct {
	Path          string  // what messages call the database
	Writer        *sql.DB // nil when opened for reading; a transaction on it holds the write lock from its start
	Reader        *sql.DB // cannot write; a transaction on it sees one state of the database
	Arrays        ArrayText
	Migration     Migration
	Explain       func(error) error                       // wraps a driver's error in ErrBusy or ErrDamaged where it means that
	Check         func(context.Context) ([]string, error) // what the database finds wrong with itself
	SchemaVersion func(context.Context) (int, error)      // of the database as it is now
	// CheckIndexes reports an index that has lost something: reading would leave it out in silence.
	// It is asked once, before anything is read.
	CheckIndexes func(context.Context, *sql.Tx) error
	// CountRounds returns in how many runs each benchmark was measured, by its number, found in
	// another way than a history is. An error says that it is not as many as the runs have.
	CountRounds func(context.Context, *sql.Tx) (map[int64]int, error)
	// Turn waits until this process may write, which it is to say as soon as it has:
	// the database's own waiting may pass over somebody time and again.
	Turn func(context.Context) (done func(), err error)
	// CheckSchema refuses to write where the schema is no longer the one that was
	// opened: a newer perftrack may have migrated the database since.
	CheckSchema func(context.Context, *sql.Tx) error
	Close       func() error // closes Writer and Reader
}

// A DB holds runs. Its methods may be called by many goroutines, and many
// processes may have the same database open. A run passed in or out must not
// be shared between goroutines meanwhile.
type DB struct {
	backend Backend
	found   findings
	indexes indexes
}

// New returns the DB kept in b.
func New(b Backend) *DB { return &DB{backend: b, found: findings{whole: &verified{}}} }

// Path returns what messages call the database: its file's path, or its
// address without secrets.
func (db *DB) Path() string { return db.backend.Path }

// Migration returns what opening the database did to its schema.
func (db *DB) Migration() Migration { return db.backend.Migration }

// SchemaVersion returns the version of the database's schema.
func (db *DB) SchemaVersion(ctx context.Context) (int, error) {
	v, err := db.backend.SchemaVersion(ctx)
	return v, db.fail("read schema version of", err)
}

// Close closes the database. What was written is safe without it; it merely
// tidies up, so that the file may be copied, and keeps what [DB.Remember] is about.
func (db *DB) Close() error {
	db.remember(context.Background())
	return db.fail("close", db.backend.Close())
}

// fail adds to err what was being done to the database.
func (db *DB) fail(operation string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s store %s: %w", operation, db.backend.Path, db.backend.Explain(err))
}

// write runs fn in one write transaction.
//
// The caller's context is obeyed only while waiting for the turn: cancelling a
// statement makes SQLite take back the transaction around it, and the next
// statement would then stand alone and stay, whatever Rollback says
// (mattn/go-sqlite3#769).
func (db *DB) write(ctx context.Context, fn func(context.Context, *sql.Tx) error) error {
	if db.backend.Writer == nil {
		return ErrReadOnly
	}
	done, err := db.backend.Turn(ctx)
	if err != nil {
		return err
	}
	defer done()
	conn, err := db.backend.Writer.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	if err := ctx.Err(); err != nil {
		return err
	}
	ctx = context.WithoutCancel(ctx)
	tx, err := conn.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() // after Commit it does nothing
	if err := db.backend.CheckSchema(ctx, tx); err != nil {
		return err
	}
	if err := fn(ctx, tx); err != nil {
		return err
	}
	return tx.Commit()
}

// read runs fn in one transaction that sees one state of the database, whose indexes were checked.
func (db *DB) read(ctx context.Context, fn func(*sql.Tx) error) error {
	return db.readUnchecked(ctx, func(tx *sql.Tx) error {
		if err := db.checkIndexes(ctx, tx); err != nil {
			return err
		}
		return fn(tx)
	})
}

// readUnchecked is read for those who look for damage, or help where they can.
func (db *DB) readUnchecked(ctx context.Context, fn func(*sql.Tx) error) error {
	tx, err := db.backend.Reader.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return err
	}
	defer tx.Rollback() // nothing was written
	return fn(tx)
}

// each calls scan for every row of a query.
func each(ctx context.Context, tx *sql.Tx, query string, args []any, scan func(*sql.Rows) error) error {
	rows, err := tx.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := scan(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}
