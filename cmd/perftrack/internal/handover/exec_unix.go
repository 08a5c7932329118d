//go:build unix

package handover

import (
	"fmt"
	"syscall"
)

// Exec replaces this process with a program, which inherits the standard streams and receives the
// signals. It returns only if an error occurs.
func Exec(path string, args, env []string) error {
	return fmt.Errorf("start %s: %w", path, syscall.Exec(path, append([]string{path}, args...), env))
}
