//go:build unix

package worktree

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

// isOurs reports whether the directory belongs to this user.
func isOurs(info os.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Geteuid()
}

// claim creates the owner file in the directory outer, writes the path of the repository into it,
// and returns a descriptor holding the lock on it. It uses a bare descriptor, because the garbage
// collector would close an unused *os.File and thus release the lock.
func claim(outer, repository string) (int, error) {
	// Lock the file before giving it its name, so it never exists unlocked.
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

// unclaim releases the lock held by a descriptor from claim.
func unclaim(owner int) { _ = syscall.Close(owner) }
