package command

import (
	"os"
	"os/exec"
	"syscall"
)

// own gives perftrack a process group of its own: a Ctrl-C for the group of the server would be
// a second interruption, at which perftrack stores nothing. Should the server be killed, it is
// told so.
func own(c *exec.Cmd) {
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGTERM}
}

func interrupt(p *os.Process) error { return p.Signal(os.Interrupt) }
