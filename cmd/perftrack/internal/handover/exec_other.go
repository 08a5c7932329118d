//go:build !unix

package handover

import "fmt"

// Exec returns an error, because a process cannot be replaced on this system.
func Exec(path string, args, _ []string) error {
	return fmt.Errorf("start %s: this system cannot replace a process; run it yourself with %q", path, args)
}
