package sqlite

import (
	"context"
	"fmt"
	"os"

	"github.com/perftrack/perftrack/store"
)

// OpenUntouched opens the database at path for reading. Unlike [OpenReadOnly], it creates no files,
// rolls nothing back and does not wait for other processes, so data that is just being written may
// be missing. The error is a [*store.SchemaError] unless the database has the current schema.
// Closing the database returns an error if the data that was read may be wrong.
func OpenUntouched(ctx context.Context, path string) (*store.DB, error) {
	b, err := openUntouched(ctx, path, defaults())
	if err != nil {
		return nil, fmt.Errorf("open store %s: %w", path, explain(err))
	}
	return b.db(ctx, path)
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
	} else {
		state, ok := stateOf(path)
		if !ok {
			return b, errWritten
		}
		b.after = func() error { return state.unchanged(path) }
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
