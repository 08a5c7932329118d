//go:build !linux

package turnstile

import (
	"context"
	"errors"
	"runtime"
)

// A Pair represents the two processes that run one benchmark. It cannot be opened on this system.
type Pair struct{}

var errUnsupported = errors.New("slice benchmarks: " + runtime.GOOS + " has no packet pipes; only Linux does")

// Supported returns an error, because only Linux is supported.
func Supported() error { return errUnsupported }

// Open returns an error; see [Supported].
func Open(context.Context, Spec) (*Pair, error) { return nil, errUnsupported }

// Slice returns an error.
func (*Pair) Slice(int) (Slice, error) { return Slice{}, errUnsupported }

// Close does nothing.
func (*Pair) Close() error { return nil }
