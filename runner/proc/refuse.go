//go:build !unix

package proc

import (
	"context"
	"fmt"
	"runtime"
)

var errRefused = fmt.Errorf("perftrack measures on Linux and macOS: on %s it shows what was measured there", runtime.GOOS)

// A Guard would clean up should this process die.
type Guard struct{}

// Release does nothing.
func (*Guard) Release() error { return nil }

// OnDeath is an error where nothing can be measured.
func OnDeath([]string, ...Cleanup) (*Guard, error) { return nil, errRefused }

// Run is an error where nothing can be measured.
func Run(context.Context, Command) (Result, error) { return Result{ExitCode: -1}, errRefused }

// UsableCPUs is an error where a process cannot be bound to CPUs.
func UsableCPUs() ([]int, error) { return nil, errRefused }

// Supervise does nothing where there is nobody to supervise.
func Supervise() {}

// Dismiss does nothing where there is nobody to dismiss.
func Dismiss() {}

// Boxable is an error where nothing can be measured.
func Boxable(context.Context) error { return errRefused }
