package worktree

import (
	"errors"
	"os"
)

// isOurs returns false, because perftrack does not measure on Windows and leaves nothing behind.
func isOurs(os.FileInfo) bool { return false }

// claim returns an error, because perftrack does not measure on Windows.
func claim(string, string) (int, error) { return -1, errors.ErrUnsupported }

func unclaim(int) {}
