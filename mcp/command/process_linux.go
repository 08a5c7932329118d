package command

import (
	"os"
	"os/exec"
	"syscall"
)

// own starts perftrack in its own process group. Otherwise a Ctrl-C sent to the server's group
// would be a second interruption, and perftrack would store nothing. If the server is killed,
// perftrack receives a signal.
func own(c *exec.Cmd) {
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGTERM}
}

func interrupt(p *os.Process) error { return p.Signal(os.Interrupt) }
