//go:build unix

package fleet

import (
	"os/exec"
	"syscall"
)

// apart keeps the terminal's Ctrl-C from the program, which ends when its input does.
func apart(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }
