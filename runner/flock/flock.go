// Package flock locks files against other processes.
//
// [Try], [Wait] and [WaitFor] lock an open file. The lock ends when this process and every child that
// inherited the file have closed it or exited, even if they were killed by SIGKILL. The kernel
// releases the lock, so a killed process leaves nothing to clean up. [Queue] waits in a queue.
// [Share] lets other users lock a file, and [Far] finds file systems where locks are unreliable.
package flock

import (
	"context"
	"errors"
	"os"
	"time"
)

// pause is the time between two attempts of Wait. It is short enough for a person to wait, but long
// enough not to disturb a measurement.
const pause = 200 * time.Millisecond

// ErrLate means that a lock was not granted in time.
var ErrLate = errors.New("not granted in time")

// Queue locks f, waiting for at most the given time. If it returns an error, it has closed f. The
// kernel grants the lock in the order of the requests, while a process that polls might starve.
func Queue(ctx context.Context, f *os.File, kind Kind, wait time.Duration) error {
	granted := make(chan error, 1)
	go func() { granted <- block(f, kind) }()
	late := time.NewTimer(wait)
	defer late.Stop()
	var err error
	select {
	case err = <-granted:
		if err != nil {
			_ = f.Close()
			err = &os.PathError{Op: "lock", Path: f.Name(), Err: err}
		}
		return err
	case <-late.C:
		err = ErrLate
	case <-ctx.Done():
		err = ctx.Err()
	}
	go func() {
		<-granted // the lock may still be granted; release it then
		_ = f.Close()
	}()
	return err
}

// Share gives the lock file f the group and the permissions of another file, so that all writers of
// that file can lock f. It ignores errors.
func Share(f *os.File, with string) {
	of, err := os.Stat(with)
	mine, lerr := f.Stat()
	if err != nil || lerr != nil || mine.Mode().Perm() == of.Mode().Perm() && sameGroup(mine, of) {
		return
	}
	giveGroup(f, of)
	_ = f.Chmod(of.Mode().Perm()) // fails if the file belongs to another user
}

// Wait locks f as soon as it is free. If waiting is not nil, Wait calls it before each pause, a few
// times a second. If ctx ends first, Wait returns the error of ctx.
func Wait(ctx context.Context, f *os.File, waiting func()) error {
	return WaitFor(ctx, f, Exclusive, waiting)
}

// WaitFor is like [Wait], for a lock of either kind.
func WaitFor(ctx context.Context, f *os.File, kind Kind, waiting func()) error {
	for {
		if locked, err := try(f, kind); locked || err != nil {
			return err
		}
		if waiting != nil {
			waiting()
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pause):
		}
	}
}
