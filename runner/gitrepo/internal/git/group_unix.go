//go:build unix

package git

import (
	"os/exec"
	"syscall"
)

// ownGroup starts git in its own session, and therefore in its own process group, so Ctrl-C in the
// terminal reaches only perftrack. perftrack then cleans up. Without a controlling terminal, ssh
// fails instead of waiting for a password in the background.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
}
