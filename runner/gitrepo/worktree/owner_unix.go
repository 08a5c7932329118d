//go:build unix

package worktree

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

// isOurs reports whether the folder is this user's.
func isOurs(info os.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Geteuid()
}

// claim makes the owner file of the folder outer, which names the repository, and
// returns a descriptor that holds its lock. A bare descriptor, because an *os.File
// would be closed, and the lock lost, when the garbage collector finds it unused.
func claim(outer, repository string) (int, error) {
	// The lock comes before the name, so that nobody finds the file without it.
	unnamed := filepath.Join(outer, ownerFile+".new")
	if err := os.WriteFile(unnamed, []byte(repository), 0o600); err != nil {
		return -1, err
	}
	fd, err := syscall.Open(unnamed, syscall.O_RDONLY|syscall.O_CLOEXEC, 0)
	if err != nil {
		return -1, &os.PathError{Op: "open", Path: unnamed, Err: err}
	}
	err = syscall.Flock(fd, syscall.LOCK_EX|syscall.LOCK_NB)
	if err == nil {
		err = os.Rename(unnamed, filepath.Join(outer, ownerFile))
	}
	if err != nil {
		_ = syscall.Close(fd)
		return -1, fmt.Errorf("lock %s: %w", unnamed, err)
	}
	return fd, nil
}

// unclaim gives up the lock of a descriptor that claim returned.
func unclaim(owner int) { _ = syscall.Close(owner) }
