package git

import (
	"os/exec"
	"syscall"
)

// setApart gives git a process group of its own: Ctrl-C on the terminal reaches
// perftrack, which decides what still has to be cleaned up.
func setApart(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}
