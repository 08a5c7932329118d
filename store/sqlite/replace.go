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

// Replace puts the closed database at from in the place of the one at path, which
// may be damaged or not be there, and keeps that one under the name that it
// returns, "" when there was none. At any moment there is a database at path. It is
// [store.ErrBusy] while another process has the old one open.
func Replace(ctx context.Context, path, from string) (old string, err error) {
	old, err = replace(ctx, path, from)
	if err != nil {
		return "", fmt.Errorf("replace store %s: %w", path, explain(err))
	}
	return old, nil
}

func replace(ctx context.Context, path, from string) (old string, err error) {
	if path, err = realPath(path); err != nil {
		return "", err
	}
	unlock, err := lock(ctx, path, flock.Exclusive)
	if err != nil {
		return "", err
	}
	defer unlock()
	_, err = os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return "", err
	default:
		if err := endLog(ctx, path); err != nil {
			return "", err
		}
		if old, err = setAside(path); err != nil {
			return "", err
		}
	}
	if err := os.Rename(from, path); err != nil {
		return "", err
	}
	_ = os.Remove(from + lockEnding) // of the time when it was made
	return old, syncPath(filepath.Dir(path))
}

// endLog brings all that is in the -wal file into the database, for which nobody
// else may have it open. Where the database is too damaged for that, the log is kept
// with it.
func endLog(ctx context.Context, path string) error {
	db := connect(path, writerParams, 1)
	defer db.Close()
	conn, err := db.Conn(ctx)
	if err != nil {
		return nil // damaged
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

// setAside gives the database a second name, and its log, if there still is one,
// another.
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
