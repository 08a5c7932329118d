//go:build !unix

package command

import (
	"os"
	"os/exec"
)

func own(*exec.Cmd) {}

// interrupt kills the process, because processes cannot interrupt each other on this system.
func interrupt(p *os.Process) error { return p.Kill() }
