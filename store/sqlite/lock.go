package sqlite

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"golang.org/x/sys/unix"

	"github.com/perftrack/perftrack/store"
)

// lockEnding makes a database's path that of the file that is locked for it.
const lockEnding = ".lock"

// A lockKind says who may hold a lock together.
type lockKind int

const (
	exclusive lockKind = unix.LOCK_EX // one that may create or migrate
	shared    lockKind = unix.LOCK_SH // those that only look
)

// lock takes the lock that guards the opening of the database at path. It is a
// file beside it, which stays: to remove it would let two processes hold locks
// on two files of the same name. A process that dies gives its lock back.
func lock(ctx context.Context, path string, kind lockKind) (unlock func(), err error) {
	path += lockEnding
	flag := os.O_RDONLY
	if kind == exclusive {
		flag = os.O_RDWR | os.O_CREATE
	}
	f, err := os.OpenFile(path, flag, 0o644)
	if err != nil {
		return nil, err
	}
	deadline := time.Now().Add(lockWait)
	for pause := time.Millisecond; ; pause = min(2*pause, 50*time.Millisecond) {
		err := unix.Flock(int(f.Fd()), int(kind)|unix.LOCK_NB)
		if err == nil {
			return func() { _ = f.Close() }, nil
		}
		if !errors.Is(err, unix.EWOULDBLOCK) && !errors.Is(err, unix.EINTR) {
			_ = f.Close()
			return nil, &os.PathError{Op: "lock", Path: path, Err: err}
		}
		if time.Now().After(deadline) {
			_ = f.Close()
			return nil, fmt.Errorf("%w, which has been opening or migrating it for more than %v (it holds %s)", store.ErrBusy, lockWait, path)
		}
		select {
		case <-ctx.Done():
			_ = f.Close()
			return nil, ctx.Err()
		case <-time.After(pause):
		}
	}
}
