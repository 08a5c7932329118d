//go:build unix

package flock

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// A Kind is either exclusive or shared.
type Kind int

const (
	Exclusive Kind = unix.LOCK_EX // one holder at a time
	Shared    Kind = unix.LOCK_SH // any number of holders at a time
)

// Try locks f unless another process, or another open file in this one, has locked it.
func Try(f *os.File) (locked bool, err error) { return try(f, Exclusive) }

func try(f *os.File, kind Kind) (locked bool, err error) {
	for {
		err = unix.Flock(int(f.Fd()), int(kind)|unix.LOCK_NB)
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

// block waits until it can lock f. The kernel serves processes in the order of their requests.
func block(f *os.File, kind Kind) error {
	for {
		if err := unix.Flock(int(f.Fd()), int(kind)); !errors.Is(err, unix.EINTR) {
			return err
		}
	}
}
