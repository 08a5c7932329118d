package flock

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// A Kind says who may hold a lock together.
type Kind uint32

const (
	Exclusive Kind = windows.LOCKFILE_EXCLUSIVE_LOCK // one at a time
	Shared    Kind = 0                               // all that want to share it
)

// Windows keeps others from reading what is locked, so this is a byte that no file has.
var byteLocked = windows.Overlapped{OffsetHigh: 0x7fffffff}

// Try locks f unless another process, or another opening of the file, has it locked.
func Try(f *os.File) (locked bool, err error) {
	switch err := lock(f, Exclusive, windows.LOCKFILE_FAIL_IMMEDIATELY); {
	case err == nil:
		return true, nil
	case errors.Is(err, windows.ERROR_LOCK_VIOLATION):
		return false, nil
	default:
		return false, &os.PathError{Op: "lock", Path: f.Name(), Err: err}
	}
}

// Block locks f as soon as nobody else has it locked.
func Block(f *os.File, kind Kind) error { return lock(f, kind, 0) }

func lock(f *os.File, kind Kind, flags uint32) error {
	at := byteLocked
	return windows.LockFileEx(windows.Handle(f.Fd()), uint32(kind)|flags, 0, 1, 0, &at)
}
