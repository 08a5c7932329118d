package sqlite

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/perftrack/perftrack/runner/flock"
	"github.com/perftrack/perftrack/store"
)

// lockEnding is appended to a database's path to get the path of its lock file.
const lockEnding = ".lock"

// lock acquires the lock for creating, migrating or writing to the database at path; writers queue
// for it. It locks a file next to the database. This file is never removed, because two processes
// could otherwise hold locks on two files with the same name. If a process dies, its lock is
// released. If the lock is not granted in time, the error is [store.ErrBusy].
func lock(ctx context.Context, path string, kind flock.Kind) (unlock func(), err error) {
	path += lockEnding
	flag := os.O_RDONLY
	if kind == flock.Exclusive {
		flag = os.O_RDWR | os.O_CREATE
	}
	f, err := os.OpenFile(path, flag, 0o644)
	if errors.Is(err, fs.ErrPermission) { // another user created the file; opening it for reading is enough
		f, err = os.Open(path)
	}
	if err != nil {
		return nil, err
	}
	shareLock(f, strings.TrimSuffix(path, lockEnding))
	// The kernel grants the lock in the order of the requests, while a polling process might
	// starve.
	granted := make(chan error, 1)
	go func() { granted <- flock.Block(f, kind) }()
	late := time.NewTimer(lockWait)
	defer late.Stop()
	select {
	case err = <-granted:
		if err == nil {
			return func() { _ = f.Close() }, nil
		}
		_ = f.Close()
		return nil, &os.PathError{Op: "lock", Path: path, Err: err}
	case <-late.C:
		err = fmt.Errorf("%w: waited %v for the lock %s", store.ErrBusy, lockWait, path)
	case <-ctx.Done():
		err = ctx.Err()
	}
	go func() {
		<-granted // the lock may still be granted; release it then
		_ = f.Close()
	}()
	return nil, err
}

// shareLock gives the lock file f the group and the permissions of the database, so every user with
// write access to the database can lock it. It ignores errors.
func shareLock(f *os.File, database string) {
	of, err := os.Stat(database)
	mine, lerr := f.Stat()
	if err != nil || lerr != nil || mine.Mode().Perm() == of.Mode().Perm() && sameGroup(mine, of) {
		return
	}
	giveGroup(f, of)
	_ = f.Chmod(of.Mode().Perm()) // fails if the file belongs to another user
}
