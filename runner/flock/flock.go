// Package flock locks files against other processes.
//
// [Try] and [Wait] lock an open file until it is closed here and in every child that
// inherited it, or those processes have exited, even by SIGKILL: the kernel keeps the lock,
// so that nobody has to clean up after a process that was killed. [Block] waits in line.
package flock

import (
	"context"
	"os"
	"time"
)

// pause is how long Wait waits before it looks again: short for a person, and rare enough
// not to disturb what is being measured meanwhile.
const pause = 200 * time.Millisecond

// Wait locks f as soon as nobody else has it locked. Waiting, which may be nil, is called
// each time that there is somebody to wait for, a few times a second. If ctx ends first, its error is returned.
func Wait(ctx context.Context, f *os.File, waiting func()) error {
	for {
		if locked, err := Try(f); locked || err != nil {
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
