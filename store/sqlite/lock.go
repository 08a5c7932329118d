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

// lockEnding makes a database's path that of the file that is locked for it.
const lockEnding = ".lock"

// lock takes the lock that guards the making and migrating of the database at path, and
// in which those that write to it queue. It is a file beside it, which stays: to remove it
// would let two processes hold locks on two files of the same name. A process that dies
// gives its lock back.
func lock(ctx context.Context, path string, kind flock.Kind) (unlock func(), err error) {
	path += lockEnding
	flag := os.O_RDONLY
	if kind == flock.Exclusive {
		flag = os.O_RDWR | os.O_CREATE
	}
	f, err := os.OpenFile(path, flag, 0o644)
	if errors.Is(err, fs.ErrPermission) { // made by another user: reading is enough to lock it
		f, err = os.Open(path)
	}
	if err != nil {
		return nil, err
	}
	shareLock(f, strings.TrimSuffix(path, lockEnding))
	// The kernel lets those that wait have it in the order in which they came; those
	// that look again and again may look in vain for ever.
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
		err = fmt.Errorf("%w: this one's turn has not come for %v (the others hold %s)", store.ErrBusy, lockWait, path)
	case <-ctx.Done():
		err = ctx.Err()
	}
	go func() {
		<-granted // it comes all the same, and is given back
		_ = f.Close()
	}()
	return nil, err
}

// shareLock lets those lock the file who may write to the database, as far as its owner is asked.
func shareLock(f *os.File, database string) {
	of, err := os.Stat(database)
	mine, lerr := f.Stat()
	if err != nil || lerr != nil || mine.Mode().Perm() == of.Mode().Perm() && sameGroup(mine, of) {
		return
	}
	giveGroup(f, of)
	_ = f.Chmod(of.Mode().Perm()) // another user's stays as it is
}
