//go:build !unix

package handover

import "fmt"

// Exec says how the program is started where it cannot replace this process.
func Exec(path string, args, _ []string) error {
	return fmt.Errorf("on this system nothing can take over from perftrack: start %s itself, with %q", path, args)
}
