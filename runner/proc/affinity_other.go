//go:build unix && !linux

package proc

import (
	"errors"
	"fmt"
	"runtime"

	"golang.org/x/sys/unix"
)

// UsableCPUs returns an error, because this system cannot bind a process to CPUs.
func UsableCPUs() ([]int, error) {
	return nil, fmt.Errorf("pinning processes to CPUs is not supported on %s", runtime.GOOS)
}

// OwnCPUs returns nil, because this system cannot bind a process to CPUs.
func OwnCPUs() ([]int, error) { return nil, nil }

func pin(cpus []int) (unpin func(), err error) {
	if len(cpus) > 0 {
		return nil, errors.Join(errPin, unix.ENOTSUP)
	}
	return func() {}, nil
}
