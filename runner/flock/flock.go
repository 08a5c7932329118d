// Package flock locks files against other processes.
//
// [Try] and [Wait] lock an open file until it is closed here and in every child that
// inherited it, or those processes have exited, even by SIGKILL: the kernel keeps the lock,
// so that nobody has to clean up after a process that was killed.
package flock

import (
	"context"
	"errors"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// pause is how long Wait waits before it looks again: short for a person, and rare enough
// not to disturb what is being measured meanwhile.
const pause = 200 * time.Millisecond

// Try locks f unless another process, or another opening of the file, has it locked.
func Try(f *os.File) (locked bool, err error) {
	for {
		err = unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		switch {
		case err == nil:
			return true, nil
		case errors.Is(err, unix.EWOULDBLOCK):
			return false, nil
		case !errors.Is(err, unix.EINTR):
			return false, &os.PathError{Op: "lock", Path: f.Name(), Err: err}
		}
	}
}

// Wait locks f as soon as nobody else has it locked. Waiting, which may be nil, is called
// once if there is somebody to wait for. If ctx ends first, its error is returned.
func Wait(ctx context.Context, f *os.File, waiting func()) error {
	for first := true; ; first = false {
		if locked, err := Try(f); locked || err != nil {
			return err
		}
		if first && waiting != nil {
			waiting()
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pause):
		}
	}
}
