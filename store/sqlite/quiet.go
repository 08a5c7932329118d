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

// immutableParams are for a database where nothing can be written, be it for the
// medium or for rights: SQLite then takes no locks and needs no shared memory, which
// it would have to make a file for.
const immutableParams = readerParams + "&immutable=1"

// A fileState tells whether a file was written to.
type fileState struct{ os.FileInfo }

// stateOf returns the state of a database that nobody has open for writing, as far as
// its files tell: there is no log with anything in it. ok is false where there is.
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

// errWritten says that what was read without locks may be of two states.
var errWritten = errors.New("another process wrote to it while it was read without locks, because its folder cannot be written: try again")

// unchanged is nil if the database still is as it was.
func (s fileState) unchanged(path string) error {
	now, ok := stateOf(path)
	if !ok || now.Size() != s.Size() || !now.ModTime().Equal(s.ModTime()) || !os.SameFile(now.FileInfo, s.FileInfo) {
		return errWritten
	}
	return nil
}

// identifyFor identifies the database at path and returns the parameters with which
// it can be read.
func identifyFor(ctx context.Context, path string) (seen identity, params string, err error) {
	if seen, err = identifyWith(ctx, path, readerParams); needsRollback(err) {
		// A process died in the middle of a transaction, and only a writer can
		// take back what it left.
		if err := rollBack(ctx, path); err != nil {
			return seen, "", err
		}
		seen, err = identifyWith(ctx, path, readerParams)
	}
	if !needsWriting(err) {
		return seen, readerParams, err
	}
	if _, ok := stateOf(path); !ok {
		return seen, "", fmt.Errorf("%w (what %s-wal holds cannot be read where nothing can be written: "+
			"copy the database with its -wal file into a folder of yours, and name that with --db)", err, path)
	}
	seen, err = identifyWith(ctx, path, immutableParams)
	return seen, immutableParams, err
}

func identifyWith(ctx context.Context, path, params string) (identity, error) {
	db := connect(path, params, 1)
	defer db.Close()
	return identify(ctx, db)
}

// rollBack opens the database as any of its users would, which takes back a
// transaction that was cut off.
func rollBack(ctx context.Context, path string) error {
	_, err := identifyWith(ctx, path, writerParams)
	if needsWriting(err) || needsRollback(err) {
		return fmt.Errorf("%w (a crash cut off a transaction, and it cannot be taken back where nothing can be written: "+
			"copy the database with its -journal file into a folder of yours, and name that with --db)", err)
	}
	return err
}

// journalMagic is what a rollback journal begins with that was not finished.
var journalMagic = []byte{0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7}

// header returns the first 100 bytes of the database file, nil for an empty one. A
// power cut may have torn the first page; then the journal beside it has what it was.
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
