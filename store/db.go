package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"reflect"
	"strings"
)

// Errors that callers can distinguish. They are returned wrapped in errors that name the database
// and the operation.
var (
	// ErrNoDatabase means there is no database at the path.
	ErrNoDatabase = errors.New("no database")
	// ErrForeign means the file is not a perftrack database. It was not modified.
	ErrForeign = errors.New("not a perftrack database")
	// ErrReadOnly means the database was opened for reading.
	ErrReadOnly = errors.New("the database was opened read-only")
	// ErrBusy means other processes kept the database locked for too long.
	ErrBusy = errors.New("the database is locked by another process")
	// ErrDamaged means the database cannot be read, or has content perftrack did not write.
	ErrDamaged = errors.New("the database is damaged")
	// ErrNotFound means no run has the given id.
	ErrNotFound = errors.New("no such run")
)

// A SchemaError reports a schema that this binary cannot use. The database was not modified.
type SchemaError struct {
	Have, Want int // the schema of the database, and the newest schema known to this binary
}

func (e *SchemaError) Error() string {
	if e.Have > e.Want {
		return fmt.Sprintf("the database has schema %d, but this perftrack supports only up to %d: upgrade perftrack", e.Have, e.Want)
	}
	return fmt.Sprintf("the database has schema %d, but this perftrack needs schema %d: run `perftrack db migrate`", e.Have, e.Want)
}

// An AmbiguousError reports a prefix shared by several run ids.
type AmbiguousError struct {
	Prefix     string
	Candidates []string // full ids, at most ten
}

func (e *AmbiguousError) Error() string {
	return fmt.Sprintf("run id %s is ambiguous: %s", e.Prefix, strings.Join(e.Candidates, ", "))
}

// A Migration describes how opening a database changed its schema.
type Migration struct {
	From, To int    // schema versions; equal if there was nothing to do; From is 0 for a new database
	Backup   string // path of a copy made before the change; "" if there was nothing to copy
}

// A Column is a column of several rows, written together. Values is a []int64, a []string, or a
// [][]byte with nil for null.
type Column struct {
	Name   string
	Values any
}

// columnOf returns a column with the result of calling of on each row.
func columnOf[R, V any](name string, rows []R, of func(R) V) Column {
	values := make([]V, len(rows))
	for i, r := range rows {
		values[i] = of(r)
	}
	return Column{name, values}
}

// Len returns the number of rows.
func (c Column) Len() int { return reflect.ValueOf(c.Values).Len() }

// At returns the value of row i.
func (c Column) At(i int) any {
	v := reflect.ValueOf(c.Values).Index(i).Interface()
	if packed, ok := v.([]byte); ok && packed == nil {
		return nil
	}
	return v
}

// A Backend is a database with the current schema, together with everything specific to its kind of
// database. The text of the queries is the same for all; the parameters $1, $2 and so on are
// numbered in the order of their first appearance.
type Backend struct {
	Path          string  // name of the database for messages
	Repository    string  // name of the repository whose runs are read and written; "" in a file
	Writer        *sql.DB // nil if opened for reading
	Reader        *sql.DB // cannot write; a transaction on it sees a single state of the database
	Migration     Migration
	Explain       func(error) error                       // wraps a driver error in ErrBusy or ErrDamaged if it has that meaning
	Check         func(context.Context) ([]string, error) // returns the faults found by the database system itself
	Version, Size string                                  // queries for the current schema version, and for its size in bytes
	Exists        string                                  // query for whether there is a table or view with the name $1
	// CheckIndexes returns an error if an index lacks entries, because readers would silently skip
	// the rows without entries. It is called once, before anything is read.
	CheckIndexes func(context.Context, *sql.Tx) error
	// Insert inserts rows into a table. Update changes the rows whose key is in the first column.
	Insert, Update func(ctx context.Context, tx *sql.Tx, table string, columns []Column) error
	// Turn waits until this process may write. The caller must call done as soon as it has written.
	// Turn is necessary because the database's own locking is not fair and may starve a process.
	Turn func(context.Context) (done func(), err error)
	// Begin is called first in each write transaction. Until the transaction ends, no other one may
	// write to the repository, so that runs become visible in the order of their row ids.
	Begin func(context.Context, *sql.Tx) error
	// Again reports whether a transaction that failed with this error should be tried again, after
	// a pause if it has failed before. If it is nil, no transaction is tried again.
	Again func(ctx context.Context, err error, failed int) bool
	Close func() error // closes Writer and Reader
}

// A DB is a database of runs. Several goroutines may call its methods at once, and several
// processes may have the same database open. While a method uses a run, no other goroutine may use
// that run.
type DB struct {
	backend    Backend
	repository int64 // row id of the repository; 0 if it has no runs yet
	found      findings
	names      names
}

// New returns a DB stored in b. If b is writable, New adds a missing repository.
func New(ctx context.Context, b Backend) (*DB, error) {
	db := &DB{backend: b}
	find := func(tx *sql.Tx) error {
		err := tx.QueryRowContext(ctx, `SELECT id FROM repositories WHERE name = $1`, b.Repository).Scan(&db.repository)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		return err
	}
	err := db.readUnchecked(ctx, find)
	if err == nil && db.repository == 0 && b.Writer != nil {
		err = db.write(ctx, func(ctx context.Context, tx *sql.Tx) error {
			if _, err := tx.ExecContext(ctx, `INSERT INTO repositories (name) VALUES ($1) ON CONFLICT DO NOTHING`, b.Repository); err != nil {
				return err
			}
			return find(tx)
		})
	}
	if err == nil && db.repository == 0 && b.Repository == "" { // the migrations insert it
		err = fmt.Errorf("%w: its repository is missing", ErrDamaged)
	}
	return db, db.fail("find the repository in", err)
}

// Path returns the name of the database to use in messages: its file path, or its address without
// secrets.
func (db *DB) Path() string { return db.backend.Path }

// Migration describes how opening the database changed its schema.
func (db *DB) Migration() Migration { return db.backend.Migration }

// SchemaVersion returns the version of the database's schema.
func (db *DB) SchemaVersion(ctx context.Context) (int, error) {
	var v int
	err := db.backend.Reader.QueryRowContext(ctx, db.backend.Version).Scan(&v)
	return v, db.fail("read schema version of", err)
}

// State returns a string that changes with every change to the database. It is very cheap to
// compute.
func (db *DB) State(ctx context.Context) (state string, err error) {
	err = db.read(ctx, func(tx *sql.Tx) error {
		var newest, runs, acceptances, deletions int64
		row := tx.QueryRowContext(ctx, `SELECT
			(SELECT coalesce(max(id), 0) FROM runs WHERE repository_id = $1), (SELECT count(*) FROM runs WHERE repository_id = $1),
			(SELECT coalesce(max(id), 0) FROM acceptances WHERE repository_id = $1), (SELECT coalesce(max(id), 0) FROM deletions WHERE repository_id = $1)`, db.repository)
		err := row.Scan(&newest, &runs, &acceptances, &deletions)
		state = fmt.Sprintf("%d.%d.%d.%d", newest, runs, acceptances, deletions)
		return err
	})
	return state, db.fail("read state of", err)
}

// Close closes the database. Written data is safe even without Close, which only tidies up so that
// the file can be copied.
func (db *DB) Close() error {
	return db.fail("close", db.backend.Close())
}

// fail wraps err in an error that names the operation and the database.
func (db *DB) fail(operation string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s store %s: %w", operation, db.backend.Path, db.backend.Explain(err))
}

// write runs fn in a write transaction. It repeats a failed transaction as long as Backend.Again
// returns true.
//
// The caller's context has an effect only until the transaction begins. If a statement were
// cancelled, SQLite would roll back the whole transaction; the next statement would then run
// outside of any transaction, and a later Rollback would not undo it (mattn/go-sqlite3#769).
func (db *DB) write(ctx context.Context, fn func(context.Context, *sql.Tx) error) error {
	if db.backend.Writer == nil {
		return ErrReadOnly
	}
	for failed := 0; ; failed++ {
		err := db.writeOnce(ctx, fn)
		if err == nil || db.backend.Again == nil || !db.backend.Again(ctx, err, failed) {
			return err
		}
	}
}

func (db *DB) writeOnce(ctx context.Context, fn func(context.Context, *sql.Tx) error) error {
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
	defer tx.Rollback() // does nothing after Commit
	if err := db.backend.Begin(ctx, tx); err != nil {
		return err
	}
	// A newer perftrack may have migrated the database since it was opened.
	var have int
	if err := tx.QueryRowContext(ctx, db.backend.Version).Scan(&have); err != nil {
		return err
	}
	if want := db.backend.Migration.To; have != want {
		return &SchemaError{Have: have, Want: want}
	}
	if err := fn(ctx, tx); err != nil {
		return err
	}
	return tx.Commit()
}

// read checks the indexes and runs fn in one transaction, which sees a single state of the
// database.
func (db *DB) read(ctx context.Context, fn func(*sql.Tx) error) error {
	return db.readUnchecked(ctx, func(tx *sql.Tx) error {
		if err := db.checkIndexes(ctx, tx); err != nil {
			return err
		}
		return fn(tx)
	})
}

// readUnchecked is like read but does not check the indexes. It is for callers that look for damage
// themselves or tolerate missing rows.
func (db *DB) readUnchecked(ctx context.Context, fn func(*sql.Tx) error) error {
	tx, err := db.backend.Reader.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return err
	}
	defer tx.Rollback() // there is nothing to undo
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

// values returns the results of a query with a single column.
func values[T any](ctx context.Context, tx *sql.Tx, query string, args ...any) (list []T, err error) {
	err = each(ctx, tx, query, args, func(rows *sql.Rows) error {
		var v T
		err := rows.Scan(&v)
		list = append(list, v)
		return err
	})
	return list, err
}
