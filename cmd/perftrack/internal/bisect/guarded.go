package bisect

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"syscall"
)

// The exit codes of `git bisect run`, as perftrack uses them. Whatever is none of the
// first three stops the bisection: a Go program that crashes exits with 2, which git
// would take for a bad commit.
const (
	BisectGood    = 0
	BisectBad     = 1
	BisectSkipped = 125
	BisectStop    = 128
)

// BisectGuarded runs a step of git bisect in a process of its own and returns its exit
// code, or BisectStop for any that says nothing about the commit. The mark in the
// environment tells the process that it is that one.
func BisectGuarded(ctx context.Context, argv []string, mark string) int {
	c := exec.CommandContext(ctx, argv[0], argv[1:]...)
	c.Env = append(os.Environ(), mark)
	c.Stdin, c.Stdout, c.Stderr = os.Stdin, os.Stdout, os.Stderr
	// A group of its own: of Ctrl-C it hears once, from us.
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	c.Cancel = func() error { return c.Process.Signal(os.Interrupt) }
	err := c.Run()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return BisectStop
	case err == nil:
		return BisectGood
	case errors.As(err, &exit) && (exit.ExitCode() == BisectBad || exit.ExitCode() == BisectSkipped):
		return exit.ExitCode()
	}
	return BisectStop
}
