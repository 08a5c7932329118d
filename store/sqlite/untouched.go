package sqlite

import (
	"context"
	"fmt"
	"os"

	"github.com/perftrack/perftrack/store"
)

// OpenUntouched opens the database at path for reading and, unlike [OpenReadOnly], makes no file,
// takes nothing back, and waits for nobody: what somebody is writing may be missing. A schema of
// another version is a [*store.SchemaError]. Closing the database says whether what was read is true.
func OpenUntouched(ctx context.Context, path string) (*store.DB, error) {
	b, err := openUntouched(ctx, path, defaults())
	if err != nil {
		return nil, fmt.Errorf("open store %s: %w", path, explain(err))
	}
	return b.db(path), nil
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
	if exists(path+"-wal") && exists(path+"-shm") { // SQLite needs no other files beside these
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
