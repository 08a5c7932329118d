package bisect

import (
	"os/exec"
	"syscall"
)

// ownGroup puts the process into a process group of its own.
func ownGroup(c *exec.Cmd) {
	c.SysProcAttr = &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}
