package sqlite

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/perftrack/perftrack/store"
)

// immutableParams are the connection parameters if there is no write access to the directory of the
// database. With them, SQLite takes no locks and needs no file for shared memory.
const immutableParams = readerParams + "&immutable=1"

// A fileState is the state of a file at some time, for recognizing later writes to the file.
type fileState struct{ os.FileInfo }

// stateOf returns the state of a database without an active writer. ok is false if a non-empty log
// or journal suggests a writer.
func stateOf(path string) (s fileState, ok bool) {
	for _, ending := range []string{"-wal", "-journal"} {
		if info, err := os.Stat(path + ending); err == nil && info.Size() > 0 {
			return s, false
		}
	}
	info, err := os.Stat(path)
	if err != nil {
		return s, false
	}
	return fileState{info}, true
}

// errWritten means data read without locks might come from a mixture of two states of the database.
var errWritten = errors.New("another process changed it while it was read without a lock, because its folder is not writable: try again")

// unchanged returns an error if the database may have changed since s was taken.
func (s fileState) unchanged(path string) error {
	now, ok := stateOf(path)
	if !ok || now.Size() != s.Size() || !now.ModTime().Equal(s.ModTime()) || !os.SameFile(now.FileInfo, s.FileInfo) {
		return errWritten
	}
	return nil
}

// watchFor returns a function that returns an error if a database that was read with these
// parameters may have changed since. It is nil if SQLite itself takes care of that.
func watchFor(path, params string) (unchanged func() error, err error) {
	if params != immutableParams {
		return nil, nil
	}
	state, ok := stateOf(path)
	if !ok {
		return nil, errWritten
	}
	return func() error { return state.unchanged(path) }, nil
}

// identifyFor returns the identity of the database at path and the connection parameters to read it
// with.
func identifyFor(ctx context.Context, path string) (seen identity, params string, err error) {
	if seen, err = identifyWith(ctx, path, readerParams); needsRollback(err) {
		// A process died during a transaction. Only a writer can roll it back.
		if err := rollBack(ctx, path); err != nil {
			return seen, "", err
		}
		seen, err = identifyWith(ctx, path, readerParams)
	}
	if !needsWriting(err) {
		return seen, readerParams, err
	}
	if _, ok := stateOf(path); !ok {
		return seen, "", fmt.Errorf("%w (%s-wal cannot be read without write access: "+
			"copy the database with its -wal file into a folder you can write to, and name the copy with --db)", err, path)
	}
	seen, err = identifyWith(ctx, path, immutableParams)
	return seen, immutableParams, err
}

func identifyWith(ctx context.Context, path, params string) (identity, error) {
	db := connect(path, params, 1)
	defer db.Close()
	var i identity
	// This is one statement, because another process may be creating the database.
	err := db.QueryRowContext(ctx, `SELECT application_id, user_version,
			(SELECT count(*) FROM sqlite_schema WHERE name NOT IN ('goose_db_version', 'sqlite_sequence'))
		FROM pragma_application_id, pragma_user_version`).Scan(&i.id, &i.version, &i.tables)
	return i, err
}

// rollBack opens the database for writing to make SQLite roll back an interrupted transaction, as
// it would for any other user of the database.
func rollBack(ctx context.Context, path string) error {
	_, err := identifyWith(ctx, path, writerParams)
	if needsWriting(err) || needsRollback(err) {
		return fmt.Errorf("%w (a crash interrupted a transaction, and rolling it back needs write access: "+
			"copy the database with its -journal file into a folder you can write to, and name the copy with --db)", err)
	}
	return err
}

// journalMagic is the beginning of a rollback journal that SQLite must use to roll back a
// transaction.
var journalMagic = []byte{0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7}

// header returns the first 100 bytes of the database file, or nil if the file is empty. If a power
// failure damaged the first page, the journal next to the file still has the original page, so
// header rolls the interrupted transaction back and reads again.
func header(ctx context.Context, path string) ([]byte, error) {
	head, err := readHeader(path)
	if !errors.Is(err, store.ErrForeign) || !isHot(path+"-journal") {
		return head, err
	}
	if err := rollBack(ctx, path); err != nil {
		return nil, err
	}
	return readHeader(path)
}

func isHot(journal string) bool {
	f, err := os.Open(journal)
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, len(journalMagic))
	_, err = io.ReadFull(f, head)
	return err == nil && bytes.Equal(head, journalMagic)
}

// OpenUntouched opens the database at path for reading. Unlike [OpenReadOnly], it creates no files,
// rolls nothing back and does not wait for other processes, so data that is just being written may
// be missing. The error is a [*store.SchemaError] unless the database has the current schema.
// Closing the database returns an error if the data that was read may be wrong.
func OpenUntouched(ctx context.Context, path string) (*store.DB, error) {
	b, err := openUntouched(ctx, path, defaults())
	return b.db(ctx, path, err)
}

func openUntouched(ctx context.Context, path string, o options) (b opened, err error) {
	if path, err = realPath(path); err != nil {
		return b, err
	}
	latest, err := o.migrations.Latest()
	if err != nil {
		return b, err
	}
	if _, err := readHeader(path); err != nil {
		return b, err
	}
	params := immutableParams
	if exists(path+"-wal") && exists(path+"-shm") { // SQLite does not have to create them
		params = readerParams
	}
	if b.after, err = watchFor(path, params); err != nil {
		return b, err
	}
	seen, err := identifyWith(ctx, path, params)
	switch {
	case err != nil:
		return b, err
	case seen.id != applicationID:
		return b, store.ErrForeign
	case seen.version != latest:
		return b, &store.SchemaError{Have: seen.version, Want: latest}
	}
	b.path, b.migration = path, store.Migration{From: latest, To: latest}
	b.reader = connect(path, params, 1)
	return b, nil
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
