package sqlite

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/perftrack/perftrack/runner/flock"
	"github.com/perftrack/perftrack/store"
)

// Replace replaces the database at path, which may be damaged or missing, with the closed database
// at from. The old database is kept at the returned path, which is "" if there was none. If there
// was an old database, a file exists at path at all times. The error is [store.ErrBusy] if another
// process has the old database open.
func Replace(ctx context.Context, path, from string) (old string, err error) {
	defer explainAs("replace store "+path, &err)
	if path, err = realPath(path); err != nil {
		return "", err
	}
	unlock, err := lock(ctx, path, flock.Exclusive)
	if err != nil {
		return "", err
	}
	defer unlock()
	if _, err := os.Lstat(path); err == nil {
		if err := endLog(ctx, path); err != nil {
			return "", err
		}
		if old, err = setAside(path); err != nil {
			return "", err
		}
	} else if !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	if err := os.Rename(from, path); err != nil {
		return "", err
	}
	_ = os.Remove(from + lockEnding) // left behind when the database was created
	return old, syncPath(filepath.Dir(path))
}

// endLog moves the content of the -wal file into the database. The error is [store.ErrBusy] if
// another process has the database open. If the database is too damaged for this, endLog leaves the
// log as it is.
func endLog(ctx context.Context, path string) error {
	db := connect(path, writerParams, 1)
	defer db.Close()
	conn, err := db.Conn(ctx)
	if err != nil {
		return nil // the database is damaged
	}
	defer conn.Close()
	if _, err = conn.ExecContext(ctx, `PRAGMA busy_timeout = 1000`); err == nil {
		_, err = conn.ExecContext(ctx, `PRAGMA journal_mode = DELETE`)
	}
	if err = explain(err); errors.Is(err, store.ErrBusy) {
		return err
	}
	return ctx.Err()
}

// setAside gives the database a second name and returns it. If there still is a log or journal,
// setAside renames it accordingly.
func setAside(path string) (old string, err error) {
	for n := 1; ; n++ {
		old = fmt.Sprintf("%s.old-%d", path, n)
		if err = os.Link(path, old); !errors.Is(err, fs.ErrExist) {
			break
		}
	}
	if err != nil {
		return "", err
	}
	for _, ending := range []string{"-wal", "-journal"} {
		if err := os.Rename(path+ending, old+ending); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
	}
	if err := os.Remove(path + "-shm"); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	return old, nil
}
