//go:build unix && !linux

package proc

import (
	"os"
	"runtime"
	"syscall"

	"golang.org/x/sys/unix"
)

// Without subreapers and /proc, descendants are known only by the program's process group.
// Descendants in other groups are not found.

// maxRSSUnit is the unit of Rusage.Maxrss in bytes.
var maxRSSUnit = func() int64 {
	if runtime.GOOS == "darwin" || runtime.GOOS == "ios" {
		return 1
	}
	return 1024
}()

// ownRSS returns 0, because it does not affect the value for a child on this system.
func ownRSS() int64 { return 0 }

func ownExecutable() (string, error) { return os.Executable() }

func becomeSubreaper() error { return nil }

// deafToStops does nothing, because programs are stopped and continued only on Linux.
func deafToStops() {}

// closeOnExec keeps the program from inheriting the supervisor's descriptors.
func closeOnExec() {
	unix.CloseOnExec(3)
	unix.CloseOnExec(4)
}

func programAttr() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true}
}

// groupAlive reports whether the process group has any members left. The error EPERM means that all
// of them are zombies or belong to another user.
func groupAlive(group int) bool {
	return unix.Kill(-group, 0) == nil
}

// killDescendants kills the process group. As long as the group has members, it returns the group's
// number, negated as in kill(2).
func killDescendants(group int) []int {
	if unix.Kill(-group, unix.SIGKILL) != nil {
		return nil
	}
	return []int{-group}
}

// oomKills is empty, because this kernel does not count its kills for lack of memory.
type oomKills struct{}

func countOOMKills() oomKills { return oomKills{} }

func (oomKills) roseSince(oomKills) bool { return false }
