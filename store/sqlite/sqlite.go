// Package sqlite stores perftrack's runs in a single SQLite file, the default database.
//
// In the flow engine -> runner -> store -> compare -> reports it is the layer below store: [Open]
// returns a [store.DB]. Its queries are in package store. This package does everything else: it
// sets options so that no stored run is lost in a crash or power failure, lets several processes
// open a database at once, protects files with another schema or of another program, and migrates
// databases after a backup. It is the only package that uses the driver.
//
// Start with sqlite.go. inspect.go identifies files, quiet.go reads them without write access, and
// migrate.go and replace.go change them. journal.go and lock.go coordinate several processes.
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

// lockWait is the maximum time to wait for other processes when opening or writing.
const lockWait = 30 * time.Second

// pauseIfBusy is the time between two attempts to open a database.
const pauseIfBusy = 20 * time.Millisecond

// maxPath is the maximum length of a database path in bytes. The path of the log is 4 bytes longer.
const maxPath = 508

// maxReaders is the maximum number of concurrent queries in one process.
const maxReaders = 4

// options holds settings that tests change, for example to show that they are needed.
type options struct {
	migrations   migrations.Set
	writerParams string // connection parameters for the writer
	noFileLock   bool
	journal      func(dir string) (journal, error)
}

func defaults() options {
	set := migrations.SQLite()
	set.After = map[int]func(context.Context, *sql.Tx) error{8: func(ctx context.Context, tx *sql.Tx) error {
		return store.Convert(ctx, tx, store.Backend{Insert: insert, Update: update})
	}}
	return options{migrations: set, writerParams: writerParams, journal: journalFor}
}

// Open opens the database at path for reading and writing. If necessary, it creates the file and
// its directory, or makes a backup and migrates an older schema to the latest one: see
// [store.DB.Migration]. The error is [store.ErrForeign] or a [*store.SchemaError] if the file
// cannot be used; the file is then left untouched. The error is [store.ErrBusy] if other processes
// kept the database locked for half a minute.
func Open(ctx context.Context, path string) (*store.DB, error) {
	return openWith(ctx, path, defaults())
}

// OpenReadOnly opens the database at path for reading. The error is [store.ErrNoDatabase] if there
// is none. It creates no files except the -wal and -shm files, which SQLite needs to read while
// others write. It can read a closed database even without them.
func OpenReadOnly(ctx context.Context, path string) (*store.DB, error) {
	return openReadOnlyWith(ctx, path, defaults())
}

func openWith(ctx context.Context, path string, o options) (*store.DB, error) {
	b, err := open(ctx, path, o)
	// If a process was killed while it created the database, SQLite sometimes says at once that the
	// database is locked, despite the busy timeout.
	for began := time.Now(); !o.noFileLock && codeOf(err)&0xff == codeBusy && time.Since(began) < lockWait && ctx.Err() == nil; {
		time.Sleep(pauseIfBusy)
		b, err = open(ctx, path, o)
	}
	return b.db(ctx, path, err)
}

func openReadOnlyWith(ctx context.Context, path string, o options) (*store.DB, error) {
	b, err := openReadOnly(ctx, path, o)
	return b.db(ctx, path, err)
}

// opened is an open database.
type opened struct {
	path           string
	writer, reader *sql.DB
	migration      store.Migration
	unqueued       bool         // writers do not queue for the lock
	after          func() error // unless nil, called at the end; returns an error if the data that was read may be wrong
}

func open(ctx context.Context, path string, o options) (b opened, err error) {
	path, err = realPath(path)
	if err != nil {
		return b, err
	}
	b.path, b.unqueued = path, o.noFileLock
	if err := MakeFolder(filepath.Dir(path)); err != nil {
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

// unwritable returns the reason why a file cannot be written to, or nil if it can. SQLite does not
// report the reason.
func unwritable(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err == nil {
		_ = f.Close()
	}
	return err
}

// prepare opens a database that must first be created, migrated, or switched to another journal.
// Only one process does so at a time: two processes might both switch a missing database to WAL,
// and SQLite's busy timeout does not apply to the switch. Two processes that both migrate would
// have the same problem.
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
		_ = os.Remove(path + lockEnding) // no other process uses this lock, because the file belongs to another program
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
	if path, err = realPath(path); err != nil {
		return b, err
	}
	latest, err := o.migrations.Latest()
	if err != nil {
		return b, err
	}
	have, params, err := inspect(ctx, path, latest)
	if err == nil && have < latest {
		// Another process may be migrating the database, so wait for it.
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
	if b.after, err = watchFor(path, params); err != nil {
		return b, err
	}
	b.reader = connect(path, params, maxReaders)
	if err = b.reader.PingContext(ctx); err != nil {
		_ = b.close()
	}
	return b, err
}

// db returns the open database. If err is not nil, db returns an error wrapping err.
func (b opened) db(ctx context.Context, path string, err error) (*store.DB, error) {
	if err != nil {
		return nil, fmt.Errorf("open store %s: %w", path, explain(err))
	}
	db, err := store.New(ctx, store.Backend{
		Path:         path,
		Writer:       b.writer,
		Reader:       b.reader,
		Migration:    b.migration,
		Explain:      explain,
		Check:        func(ctx context.Context) ([]string, error) { return check(ctx, b.reader) },
		CheckIndexes: checkIndexes,
		Insert:       insert,
		Update:       update,
		Version:      `SELECT user_version FROM pragma_user_version`,
		Size:         `SELECT page_count * page_size FROM pragma_page_count, pragma_page_size`,
		Exists:       `SELECT EXISTS (SELECT 1 FROM sqlite_master WHERE type IN ('table', 'view') AND name = $1)`,
		Begin:        func(context.Context, *sql.Tx) error { return nil }, // the transaction has the write lock already
		Turn:         b.turn,
		Close:        b.close,
	})
	if err != nil {
		return nil, errors.Join(err, b.close())
	}
	return db, nil
}

// close closes the pools. Closing a writer moves the -wal file into the database file, except pages
// whose older versions are still being read, so a copy of the database file alone is usually
// complete. close does not truncate the log, because it would have to block all writers until the
// last reader has finished.
func (b opened) close() error {
	var errs []error
	if b.reader != nil {
		errs = append(errs, b.reader.Close())
	}
	if b.writer != nil {
		// Do not wait long: if another process has the database open, a copy of the file alone cannot
		// be complete anyway.
		b.set("busy_timeout = 100", "wal_checkpoint(PASSIVE)")
		errs = append(errs, b.writer.Close())
	}
	if b.after != nil {
		errs = append(errs, b.after())
	}
	return errors.Join(errs...)
}

// realPath returns the absolute path with symbolic links resolved, because all processes must agree
// on the names of the lock and the -wal file.
func realPath(path string) (string, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	if len(abs) > maxPath {
		return "", fmt.Errorf("its path has %d bytes, but SQLite supports only %d: name a database elsewhere with --db", len(abs), maxPath)
	}
	real, err := filepath.EvalSymlinks(abs)
	if err == nil {
		return real, nil
	}
	// If path is not a link, EvalSymlinks may have failed because another process has only just
	// created the file.
	if info, lerr := os.Lstat(abs); lerr == nil && info.Mode()&os.ModeSymlink != 0 {
		return "", err // a broken link or a loop
	}
	return abs, nil
}

// MakeFolder creates the database's directory. If the name of the directory is .perftrack, it also
// creates a .gitignore file in it, so git ignores the directory.
func MakeFolder(dir string) error {
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
