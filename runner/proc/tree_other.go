//go:build unix && !linux

package proc

import (
	"os"
	"runtime"
	"syscall"

	"golang.org/x/sys/unix"
)

// Without subreapers and /proc this file knows one thing about descendants: the
// program's process group. What leaves the group is not found.

// maxRSSUnit is the unit of Rusage.Maxrss in bytes.
var maxRSSUnit = func() int64 {
	if runtime.GOOS == "darwin" || runtime.GOOS == "ios" {
		return 1
	}
	return 1024
}()

// ownRSS is nothing that counts for a child here.
func ownRSS() int64 { return 0 }

func ownExecutable() (string, error) { return os.Executable() }

func becomeSubreaper() error { return nil }

// deafToStops is about Linux, where programs are stopped and continued.
func deafToStops() {}

// closeOnExec keeps the supervisor's pipes from the program.
func closeOnExec() {
	unix.CloseOnExec(3)
	unix.CloseOnExec(4)
}

func programAttr() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true}
}

// groupAlive tells whether the group of the leader has members left. EPERM
// means that all of them are zombies or another user's.
func groupAlive(group int) bool {
	return unix.Kill(-group, 0) == nil
}

// killDescendants kills the process group and returns its number, negative as
// in kill(2), while it has members.
func killDescendants(group int) []int {
	if unix.Kill(-group, unix.SIGKILL) != nil {
		return nil
	}
	return []int{-group}
}

// oomKills is empty where the kernel has no OOM killer that counts.
type oomKills struct{}

func countOOMKills() oomKills { return oomKills{} }

func (oomKills) roseSince(oomKills) bool { return false }
