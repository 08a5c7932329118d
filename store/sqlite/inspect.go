package sqlite

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/perftrack/perftrack/store"
)

// applicationID marks a perftrack database: "PERF".
const applicationID = 0x50455246

// inspect returns the schema version of the database at path and the connection parameters to read
// it with. It returns an error if there is no database or only an empty one, if the file belongs to
// another program, or if its schema is newer than latest. inspect first reads the file header
// without SQLite. It then opens the database with SQLite for reading, because there may be newer
// pages in the -wal file. It writes nothing unless an interrupted transaction must be rolled back.
func inspect(ctx context.Context, path string, latest int) (version int, params string, err error) {
	head, err := header(ctx, path)
	if err != nil {
		return 0, "", err
	}
	if head != nil {
		id, version := binary.BigEndian.Uint32(head[68:]), int(int32(binary.BigEndian.Uint32(head[60:])))
		if id != 0 && id != applicationID {
			return 0, "", fmt.Errorf("%w (its application id is %#x)", store.ErrForeign, id)
		}
		if id == applicationID && version > latest {
			return version, "", &store.SchemaError{Have: version, Want: latest}
		}
	}
	seen, params, err := identifyFor(ctx, path)
	if err != nil {
		return 0, "", err
	}
	switch {
	case seen.id == applicationID && seen.version > latest:
		return seen.version, "", &store.SchemaError{Have: seen.version, Want: latest}
	case seen.id == applicationID && seen.version > 0:
		return seen.version, params, nil
	case seen.id != 0 || seen.version != 0:
		return 0, "", fmt.Errorf("%w (its application id is %#x, its version %d)", store.ErrForeign, seen.id, seen.version)
	case seen.tables > 0:
		return 0, "", fmt.Errorf("%w: it contains another program's tables", store.ErrForeign)
	}
	return 0, "", errNoDatabase
}

// An identity holds the properties that show whether a database belongs to perftrack.
type identity struct {
	id      int64
	version int
	tables  int // number of tables, except those created before the first migration, which a crash may leave behind
}

var errNoDatabase = fmt.Errorf("%w here: run `perftrack run` first", store.ErrNoDatabase)

// readHeader returns the first 100 bytes of an SQLite file, or nil if the file is empty.
func readHeader(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, errNoDatabase
	}
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() { // opening a pipe would block
		return nil, fmt.Errorf("%w: not a regular file", store.ErrForeign)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	header := make([]byte, 100)
	switch n, err := io.ReadFull(f, header); {
	case n == 0 && err == io.EOF:
		return nil, nil
	case err != nil && err != io.ErrUnexpectedEOF:
		return nil, err
	case err != nil || string(header[:16]) != "SQLite format 3\x00":
		return nil, fmt.Errorf("%w: not a SQLite file", store.ErrForeign)
	}
	return header, nil
}
