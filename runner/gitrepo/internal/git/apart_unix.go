//go:build unix

package git

import (
	"os/exec"
	"syscall"
)

// setApart gives git a session of its own, hence a process group of its own: Ctrl-C on
// the terminal reaches perftrack, which decides what still has to be cleaned up. Without a
// controlling terminal ssh fails where it would otherwise stop and wait for a
// password from the background.
func setApart(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
}
