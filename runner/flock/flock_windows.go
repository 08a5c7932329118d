package flock

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// A Kind is either exclusive or shared.
type Kind uint32

const (
	Exclusive Kind = windows.LOCKFILE_EXCLUSIVE_LOCK // one holder at a time
	Shared    Kind = 0                               // any number of holders at a time
)

// byteLocked is the position of the locked byte. Other processes cannot read locked bytes on
// Windows, so it is beyond the end of any file.
var byteLocked = windows.Overlapped{OffsetHigh: 0x7fffffff}

// Try locks f unless another process, or another open file in this one, has locked it.
func Try(f *os.File) (locked bool, err error) { return try(f, Exclusive) }

func try(f *os.File, kind Kind) (locked bool, err error) {
	switch err := lock(f, kind, windows.LOCKFILE_FAIL_IMMEDIATELY); {
	case err == nil:
		return true, nil
	case errors.Is(err, windows.ERROR_LOCK_VIOLATION):
		return false, nil
	default:
		return false, &os.PathError{Op: "lock", Path: f.Name(), Err: err}
	}
}

// block waits until it can lock f.
func block(f *os.File, kind Kind) error { return lock(f, kind, 0) }

func lock(f *os.File, kind Kind, flags uint32) error {
	at := byteLocked
	return windows.LockFileEx(windows.Handle(f.Fd()), uint32(kind)|flags, 0, 1, 0, &at)
}
