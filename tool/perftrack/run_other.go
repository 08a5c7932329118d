//go:build !unix

package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
)

// run runs a program and returns its exit status. The program receives interrupts directly.
func run(program string, args []string) (status int, err error) {
	signal.Ignore(os.Interrupt)
	c := exec.Command(program, args...)
	c.Stdin, c.Stdout, c.Stderr = os.Stdin, os.Stdout, os.Stderr
	var exited *exec.ExitError
	if err := c.Run(); err != nil && !errors.As(err, &exited) {
		return exitFailed, fmt.Errorf("start %s: %w", program, err)
	}
	return c.ProcessState.ExitCode(), nil
}
