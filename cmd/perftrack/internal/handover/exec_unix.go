//go:build unix

package handover

import (
	"fmt"
	"syscall"
)

// Exec replaces this process by a program, which has its streams and answers its signals. It
// returns only an error.
func Exec(path string, args, env []string) error {
	return fmt.Errorf("start %s: %w", path, syscall.Exec(path, append([]string{path}, args...), env))
}
