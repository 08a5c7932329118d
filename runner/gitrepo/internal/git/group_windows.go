package git

import (
	"os/exec"
	"syscall"
)

// ownGroup starts git in its own process group, so Ctrl-C in the terminal reaches only perftrack.
// perftrack then cleans up.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}
