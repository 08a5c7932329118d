//go:build !unix

package proc

import (
	"context"
	"fmt"
	"runtime"
)

var errRefused = fmt.Errorf("perftrack measures only on Linux and macOS; on %s it only shows stored results", runtime.GOOS)

// A Guard cannot be started on this system.
type Guard struct{}

// Release does nothing.
func (*Guard) Release() error { return nil }

// OnDeath returns an error, because this system cannot measure.
func OnDeath([]string, ...Cleanup) (*Guard, error) { return nil, errRefused }

// Run returns an error, because this system cannot measure.
func Run(context.Context, Command) (Result, error) { return Result{ExitCode: -1}, errRefused }

// UsableCPUs returns an error, because this system cannot bind a process to CPUs.
func UsableCPUs() ([]int, error) { return nil, errRefused }

// OwnCPUs returns nil, because this system cannot bind a process to CPUs.
func OwnCPUs() ([]int, error) { return nil, nil }

// Supervise does nothing, because this system has no supervisors.
func Supervise() {}

// Dismiss does nothing, because this system has no supervisors.
func Dismiss() {}

// Boxable returns an error, because this system cannot measure.
func Boxable(context.Context) error { return errRefused }
