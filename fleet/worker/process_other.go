//go:build !linux

package worker

import (
	"context"
	"errors"
	"os/exec"
)

func startGroup(c *exec.Cmd, _ string) error { return c.Start() }

func killGroup(c *exec.Cmd) { _ = c.Process.Kill() } // it may have ended

func terminateGroup(c *exec.Cmd) error { return c.Process.Kill() }

func pinAway(cpus string) error {
	if cpus != "" {
		return errors.New("-cpus works on Linux only")
	}
	return nil
}

func isolates(context.Context, string) error {
	return errors.New("benchmarks run in a sandbox on Linux only: if you trust all code that is measured, use -trusted")
}
