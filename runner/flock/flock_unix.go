//go:build unix

package flock

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// A Kind says who may hold a lock together.
type Kind int

const (
	Exclusive Kind = unix.LOCK_EX // one at a time
	Shared    Kind = unix.LOCK_SH // all that want to share it
)

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

// Block locks f, after those that asked before: the kernel lets them have it in the order
// in which they came.
func Block(f *os.File, kind Kind) error {
	for {
		if err := unix.Flock(int(f.Fd()), int(kind)); !errors.Is(err, unix.EINTR) {
			return err
		}
	}
}
