// Package sqlite keeps perftrack's runs in one SQLite file, the default
// database.
//
// In the flow engine -> runner -> store -> compare -> reports it stands under
// store: [Open] returns a [store.DB], whose queries are those of package
// store. Here is what SQLite needs around them: options that keep every
// acknowledged run through crashes and power cuts, opening by many processes
// at once, the guard against files of another schema or another program, and
// migration with a backup. It is the only package that knows the driver.
//
// Begin with sqlite.go; inspect.go is the guard, migrate.go, replace.go and quiet.go
// bring and keep a file in shape, journal.go, lock.go and turn.go are about several
// processes.
package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/perftrack/perftrack/migrations"
	"github.com/perftrack/perftrack/runner/flock"
	"github.com/perftrack/perftrack/store"
)

// lockWait is how long a process waits for others, be it for the right to
// open, or to write.
const lockWait = 30 * time.Second

// maxPath is how many bytes the path of a database may have, that of its log being 4 longer.
const maxPath = 508

// maxReaders is the number of queries that one process runs at a time.
const maxReaders = 4

// options are what tests turn off to show what it is good for.
type options struct {
	migrations   migrations.Set
	writerParams string // parameters of the writer's DSN
	noFileLock   bool
	journal      func(dir string) (journal, error)
}

func defaults() options {
	return options{migrations: migrations.SQLite(), writerParams: writerParams, journal: journalFor}
}

// Open opens the database at path for reading and writing. It makes the file
// and its folder if need be and brings an older schema to the newest, after a
// backup: see [store.DB.Migration]. Errors that leave the file untouched are
// [store.ErrForeign] and [*store.SchemaError]; [store.ErrBusy] says that other
// processes held it for half a minute.
func Open(ctx context.Context, path string) (*store.DB, error) {
	return openWith(ctx, path, defaults())
}

// OpenReadOnly opens the database at path for reading. Where there is none,
// the error is [store.ErrNoDatabase]. It creates nothing but the -wal and -shm
// files that SQLite itself needs for reading beside a writer, and reads a closed
// database where even these cannot be made.
func OpenReadOnly(ctx context.Context, path string) (*store.DB, error) {
	return openReadOnlyWith(ctx, path, defaults())
}

func openWith(ctx context.Context, path string, o options) (*store.DB, error) {
	b, err := open(ctx, path, o)
	if err != nil {
		return nil, fmt.Errorf("open store %s: %w", path, explain(err))
	}
	return b.db(path), nil
}

func openReadOnlyWith(ctx context.Context, path string, o options) (*store.DB, error) {
	b, err := openReadOnly(ctx, path, o)
	if err != nil {
		return nil, fmt.Errorf("open store %s: %w", path, explain(err))
	}
	return b.db(path), nil
}

// An opened database.
type opened struct {
	path           string
	writer, reader *sql.DB
	migration      store.Migration
	unqueued       bool         // writers do not queue
	after          func() error // says whether what was read is true, nil where that is certain
}

func open(ctx context.Context, path string, o options) (b opened, err error) {
	path, err = realPath(path)
	if err != nil {
		return b, err
	}
	b.path, b.unqueued = path, o.noFileLock
	if err := makeFolder(filepath.Dir(path)); err != nil {
		return b, err
	}
	j, err := o.journal(filepath.Dir(path))
	if err != nil {
		return b, err
	}
	latest, err := o.migrations.Latest()
	if err != nil {
		return b, err
	}
	defer func() {
		if err != nil {
			_ = b.close()
		}
	}()
	if have, _, ierr := inspect(ctx, path, latest); ierr == nil && have == latest && hasJournal(path, j) {
		b.migration = store.Migration{From: have, To: latest}
		b.writer = connect(path, o.writerParams, 1)
		if err = b.writer.PingContext(ctx); err != nil {
			err = cmp.Or(unwritable(path), err)
		}
	} else {
		err = b.prepare(ctx, path, j, latest, o)
	}
	if err != nil {
		return b, err
	}
	b.reader = connect(path, readerParams, maxReaders)
	return b, b.reader.PingContext(ctx)
}

// unwritable says why a file cannot be written to, for which SQLite has no words; nil if it can.
func unwritable(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err == nil {
		_ = f.Close()
	}
	return err
}

// prepare opens a database that is still to be made, or migrated, or switched to
// another journal. Two processes that find no database would both switch it to WAL,
// and SQLite's busy timeout does not cover that switch; migrating has the same race. So
// one process at a time does it.
func (b *opened) prepare(ctx context.Context, path string, j journal, latest int, o options) error {
	_, err := os.Lstat(path + lockEnding)
	lockIsNew := errors.Is(err, fs.ErrNotExist)
	if !o.noFileLock {
		unlock, err := lock(ctx, path, flock.Exclusive)
		if err != nil {
			return err
		}
		defer unlock()
	}
	have, _, err := inspect(ctx, path, latest)
	if errors.Is(err, store.ErrForeign) && lockIsNew {
		_ = os.Remove(path + lockEnding) // nobody else locks what is not ours
	}
	if err != nil && !errors.Is(err, store.ErrNoDatabase) {
		return err
	}
	b.migration = store.Migration{From: have, To: latest}
	b.writer = connect(path, o.writerParams+"&_journal_mode="+string(j), 1)
	if err := b.writer.PingContext(ctx); err != nil {
		return err
	}
	if have < latest {
		b.migration.Backup, err = migrate(ctx, b.writer, path, have, o.migrations)
		return err
	}
	return nil
}

func openReadOnly(ctx context.Context, path string, o options) (b opened, err error) {
	path, err = realPath(path)
	if err != nil {
		return b, err
	}
	latest, err := o.migrations.Latest()
	if err != nil {
		return b, err
	}
	have, params, err := inspect(ctx, path, latest)
	if err == nil && have < latest {
		// It may be about to be migrated by another process: wait for that.
		if unlock, lerr := lock(ctx, path, flock.Shared); lerr == nil {
			have, params, err = inspect(ctx, path, latest)
			unlock()
		}
	}
	if err != nil {
		return b, err
	}
	if have < latest {
		return b, &store.SchemaError{Have: have, Want: latest}
	}
	b.migration = store.Migration{From: have, To: have}
	if params == immutableParams {
		state, ok := stateOf(path)
		if !ok {
			return b, errWritten
		}
		b.after = func() error { return state.unchanged(path) }
	}
	b.reader = connect(path, params, maxReaders)
	if err := b.reader.PingContext(ctx); err != nil {
		_ = b.close()
		return b, err
	}
	return b, nil
}

func (b opened) db(path string) *store.DB {
	return store.New(store.Backend{
		Path:      path,
		Writer:    b.writer,
		Reader:    b.reader,
		Arrays:    store.JSONArrays,
		Migration: b.migration,
		Explain:   explain,
		Check:     func(ctx context.Context) ([]string, error) { return check(ctx, b.reader) },

		CheckIndexes: checkIndexes,
		CountRounds:  countRounds,
		SchemaVersion: func(ctx context.Context) (v int, err error) {
			err = b.reader.QueryRowContext(ctx, `PRAGMA user_version`).Scan(&v)
			return v, err
		},
		CheckSchema: func(ctx context.Context, tx *sql.Tx) error {
			var have int
			err := tx.QueryRowContext(ctx, `PRAGMA user_version`).Scan(&have)
			if err == nil && have != b.migration.To {
				err = &store.SchemaError{Have: have, Want: b.migration.To}
			}
			return err
		},
		Turn:  b.turn,
		Close: b.close,
	})
}

// close closes the pools. A writer brings everything from the -wal file into the
// database file, as far as nobody reads older pages of it, so that a copy of that file
// alone is whole. It does not shorten the log: for that it would keep all others from
// writing until the last reader has gone.
func (b opened) close() error {
	var errs []error
	if b.reader != nil {
		errs = append(errs, b.reader.Close())
	}
	if b.writer != nil {
		ctx := context.Background()
		if conn, err := b.writer.Conn(ctx); err == nil {
			// Not worth waiting for: with another process there, the file is
			// not alone anyway.
			_, _ = conn.ExecContext(ctx, `PRAGMA busy_timeout = 100`)
			_, _ = conn.ExecContext(ctx, `PRAGMA wal_checkpoint(PASSIVE)`)
			_ = conn.Close()
		}
		errs = append(errs, b.writer.Close())
	}
	if b.after != nil {
		errs = append(errs, b.after())
	}
	return errors.Join(errs...)
}

// realPath returns the absolute path behind symbolic links, so that all
// processes agree on the names of the lock and the -wal file.
func realPath(path string) (string, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	if len(abs) > maxPath {
		return "", fmt.Errorf("its path has %d bytes and SQLite takes %d: name a database elsewhere with --db", len(abs), maxPath)
	}
	real, err := filepath.EvalSymlinks(abs)
	if err == nil {
		return real, nil
	}
	// What is no link may have been made by another process just now.
	if info, lerr := os.Lstat(abs); lerr == nil && info.Mode()&os.ModeSymlink != 0 {
		return "", err // to nowhere, or a loop
	}
	return abs, nil
}

// makeFolder makes the database's folder. The one that perftrack puts into a
// repository hides itself from git.
func makeFolder(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	if filepath.Base(dir) != ".perftrack" {
		return nil
	}
	f, err := os.OpenFile(filepath.Join(dir, ".gitignore"), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, os.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	_, err = f.WriteString("*\n")
	return errors.Join(err, f.Close())
}
