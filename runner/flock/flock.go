// Package flock locks files against other processes.
//
// [Try] and [Wait] lock an open file. The lock ends when this process and every child that
// inherited the file have closed it or exited, even if they were killed by SIGKILL. The kernel
// releases the lock, so a killed process leaves nothing to clean up. [Block] waits in a queue.
package flock

import (
	"context"
	"os"
	"time"
)

// pause is the time between two attempts of Wait. It is short enough for a person to wait, but long
// enough not to disturb a measurement.
const pause = 200 * time.Millisecond

// Wait locks f as soon as it is free. If waiting is not nil, Wait calls it before each pause, a few
// times a second. If ctx ends first, Wait returns the error of ctx.
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
