//go:build unix

package flock

import (
	"io/fs"
	"os"
	"syscall"
)

// sameGroup reports whether two files belong to the same group.
func sameGroup(a, b fs.FileInfo) bool {
	x, ok := a.Sys().(*syscall.Stat_t)
	y, yes := b.Sys().(*syscall.Stat_t)
	return ok && yes && x.Gid == y.Gid
}

// giveGroup changes the group of f to that of another file, if this process is allowed to.
func giveGroup(f *os.File, of fs.FileInfo) {
	if s, ok := of.Sys().(*syscall.Stat_t); ok {
		_ = f.Chown(-1, int(s.Gid))
	}
}
