package bisect

import (
	"os/exec"
	"syscall"
)

// ownGroup gives the process a group of its own.
func ownGroup(c *exec.Cmd) {
	c.SysProcAttr = &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}
