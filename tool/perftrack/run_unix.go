//go:build unix

package main

import (
	"fmt"
	"os"
	"syscall"
)

// run replaces the launcher with the program. It returns only if that fails.
func run(program string, args []string) (status int, err error) {
	err = syscall.Exec(program, append([]string{program}, args...), os.Environ())
	return exitFailed, fmt.Errorf("start %s: %w", program, err)
}
