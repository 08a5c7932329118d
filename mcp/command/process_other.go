//go:build !unix

package command

import (
	"os"
	"os/exec"
)

func own(*exec.Cmd) {}

// interrupt ends the process: there is no interruption that one process could send to another.
func interrupt(p *os.Process) error { return p.Kill() }
